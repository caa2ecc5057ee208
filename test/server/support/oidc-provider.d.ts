// The little of oidc-provider that the tests use; its published types bring twenty packages along.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Token {
    resourceServer?: unknown;
    scope?: string | undefined;
    save(): Promise<string>;
  }

  interface Grant {
    addResourceScope(resource: string, scope: string): void;
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface Context {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      params: Record<string, string>;
    };
    body: unknown;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (fields: { clientId: string; accountId: string }) => Grant;
    AccessToken: new (fields: object) => Token;
    ResourceServer: new (resource: string, info: object) => unknown;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    registerGrantType(name: string, handler: (context: Context) => Promise<void>, parameters: string[]): void;
  }
}
