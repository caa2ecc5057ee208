// Calls to Amazon Bedrock through AWS's own package, an optional peer: signing requests and finding credentials is its
// work. Retries are ours, so that they behave like every other provider's.

import { VaiError } from '../../domain/errors.ts';
import type { Environment } from '../provider.ts';
import { createGate } from '../shared/gate.ts';
import { explain } from '../shared/http.ts';
import { AttemptFailed, withRetries, type CallState, type RetryHooks } from '../shared/retry.ts';
import { AWS_PACKAGE } from './index.ts';

const IN_FLIGHT = 4;
const DEFAULT_REGION = 'us-east-1';
export const SERVICE = {
  name: 'Amazon Bedrock',
  hints: {
    key: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a profile), and allow the model in this region.',
    model: 'Check the model name, AWS_REGION and the account’s access to the model.',
    address: 'Check AWS_ENDPOINT_URL_BEDROCK_RUNTIME.',
  },
};

/** The part of the package that is used. */
export interface BedrockModule {
  BedrockRuntimeClient: new (options: Record<string, unknown>) => {
    send(command: unknown, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
  };
  InvokeModelCommand: new (input: Record<string, unknown>) => unknown;
  ConverseCommand: new (input: Record<string, unknown>) => unknown;
}

export interface BedrockDeps {
  env: Environment;
  region?: string | undefined;
  load: () => Promise<BedrockModule>;
  hooks: RetryHooks;
}

export interface Bedrock {
  send(make: (module: BedrockModule) => unknown, model: string, state: CallState): Promise<unknown>;
}

export function createBedrock(deps: BedrockDeps): Bedrock {
  let ready:
    | Promise<{ module: BedrockModule; client: InstanceType<BedrockModule['BedrockRuntimeClient']> }>
    | undefined;
  const gate = createGate(IN_FLIGHT);
  const open = () =>
    (ready ??= deps.load().then(
      (module) => ({ module, client: new module.BedrockRuntimeClient(clientOptions(deps)) }),
      (cause: unknown) => {
        ready = undefined;
        throw new VaiError('CONFIG_MISSING', `The provider bedrock needs the package ${AWS_PACKAGE}.`, {
          hint: `Install it beside vai: npm install ${AWS_PACKAGE}`,
          cause,
        });
      },
    ));
  return {
    async send(make, model, state) {
      const { module, client } = await open();
      const attempt = () =>
        gate.run(async () => {
          try {
            return await client.send(make(module), state.signal ? { abortSignal: state.signal } : {});
          } catch (error) {
            throw failureOf(error);
          }
        }, state.signal);
      return withRetries(attempt, {
        hooks: deps.hooks,
        state,
        explain: (failure) =>
          NEEDS_PROFILE.test(failure.detail) ? needsProfile(model) : explain(failure, SERVICE),
      });
    },
  };
}

function clientOptions({ env, region }: BedrockDeps): Record<string, unknown> {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const endpoint = env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'];
  return {
    region: region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? DEFAULT_REGION,
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

const NO_CREDENTIALS =
  /CredentialsProviderError|ExpiredToken|UnrecognizedClient|InvalidSignature|MissingAuthenticationToken/;
const THROTTLED = /Throttling|TooManyRequests|ServiceQuota|ModelNotReady/;
const NEEDS_PROFILE = /on-demand throughput|inference profile/i;

/** AWS puts the status into `$metadata` and the reason into the name. */
function failureOf(error: unknown): AttemptFailed {
  const { name = '', message = '', $metadata, $response } = error as AwsError;
  if (NO_CREDENTIALS.test(name)) return new AttemptFailed(401);
  const status = THROTTLED.test(name) ? 429 : ($metadata?.httpStatusCode ?? 0);
  const seconds = Number($response?.headers?.['retry-after']);
  return new AttemptFailed(status, message, seconds > 0 ? seconds * 1000 : undefined);
}

function needsProfile(model: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `Bedrock serves ${model} only through an inference profile.`, {
    hint: `Name the profile instead: us.${model}, eu.${model} or global.${model}, or its ARN.`,
  });
}
