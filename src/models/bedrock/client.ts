// Calls to Amazon Bedrock through AWS's own package, an optional peer: signing requests and finding credentials is its
// work. Retries are ours, so that they behave like every other provider's.

import { VaiError } from '../../domain/errors.ts';
import { AttemptFailed, withRetries, type RetryHooks } from '../extraction/retry.ts';
import { codeOfStatus } from '../shared/status.ts';
import { createGate, type Gate } from '../voyage/gate.ts';

export const AWS_PACKAGE = '@aws-sdk/client-bedrock-runtime';
const IN_FLIGHT = 4;
const DEFAULT_REGION = 'us-east-1';

/** The part of the package that is used. */
export interface BedrockModule {
  BedrockRuntimeClient: new (options: Record<string, unknown>) => {
    send(command: unknown, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
  };
  InvokeModelCommand: new (input: Record<string, unknown>) => unknown;
  ConverseCommand: new (input: Record<string, unknown>) => unknown;
}

export interface BedrockDeps extends RetryHooks {
  env: Record<string, string | undefined>;
  load: () => Promise<BedrockModule>;
}

export interface Bedrock {
  send(make: (module: BedrockModule) => unknown, options: SendOptions): Promise<unknown>;
}

export interface SendOptions {
  model: string;
  signal?: AbortSignal | undefined;
  onWait?: ((seconds: number) => void) | undefined;
}

export function createBedrock(deps: BedrockDeps): Bedrock {
  let ready:
    | Promise<{ module: BedrockModule; client: InstanceType<BedrockModule['BedrockRuntimeClient']> }>
    | undefined;
  const gate: Gate = createGate(IN_FLIGHT);
  const open = () =>
    (ready ??= deps.load().then(
      (module) => ({ module, client: new module.BedrockRuntimeClient(clientOptions(deps.env)) }),
      (cause: unknown) => {
        ready = undefined;
        throw new VaiError('CONFIG_MISSING', `The provider bedrock needs the package ${AWS_PACKAGE}.`, {
          hint: `Install it beside vai: npm install ${AWS_PACKAGE}`,
          cause,
        });
      },
    ));
  return {
    async send(make, options) {
      const { module, client } = await open();
      const attempt = () =>
        gate.run(async () => {
          try {
            return await client.send(make(module), options.signal ? { abortSignal: options.signal } : {});
          } catch (error) {
            throw failureOf(error);
          }
        }, options.signal);
      return withRetries(attempt, {
        random: deps.random,
        wait: deps.wait,
        signal: options.signal,
        onWait: options.onWait,
        explain: (failure) => explain(failure, options.model),
      });
    },
  };
}

function clientOptions(env: Record<string, string | undefined>): Record<string, unknown> {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const endpoint = env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'];
  return {
    region: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? DEFAULT_REGION,
    maxAttempts: 1,
    ...(endpoint ? { endpoint } : {}),
    // Keys of a .env file are not in the process's own environment; without them AWS's chain decides.
    ...(accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
      : {}),
  };
}

interface AwsError {
  name?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
}

/** AWS puts the status into `$metadata` and the reason into the name. */
function failureOf(error: unknown): AttemptFailed {
  const { name = '', message = '', $metadata, $response } = error as AwsError;
  if (
    /CredentialsProviderError|ExpiredToken|UnrecognizedClient|InvalidSignature|MissingAuthenticationToken/.test(
      name,
    )
  )
    return new AttemptFailed(401, undefined, name);
  const throttled = /Throttling|TooManyRequests|ServiceQuota|ModelNotReady/.test(name);
  const status = throttled ? 429 : ($metadata?.httpStatusCode ?? 0);
  const seconds = Number($response?.headers?.['retry-after']);
  const profile = /on-demand throughput|inference profile/i.test(message) ? 'profile' : name;
  return new AttemptFailed(
    status,
    Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined,
    profile,
  );
}

function explain(failure: AttemptFailed, model: string): Error {
  const { status } = failure;
  if (failure.cause === 'profile') {
    return new VaiError('MODEL_UNSUPPORTED', `Bedrock serves ${model} only through an inference profile.`, {
      hint: `Name the profile instead: us.${model}, eu.${model} or global.${model}, or its ARN.`,
    });
  }
  if (status === 401 || status === 403) {
    return new VaiError('PROVIDER_AUTH', 'Amazon Bedrock refused the credentials, or none were found.', {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a profile), and allow the model in this region.',
    });
  }
  const what =
    status === 0 ? 'did not answer' : status === 429 ? 'asks to slow down' : `answered with status ${status}`;
  return new VaiError(codeOfStatus(status), `Amazon Bedrock ${what}.`, {
    hint:
      status === 404 || status === 400
        ? 'Check the model name, AWS_REGION and the account’s access to the model.'
        : 'Try again later; committed documents stay.',
    data: { status },
  });
}
