// Variables of the environment that are no settings: they have no name in a config file. A test looks for every variable
// that the sources read, here or among the settings.

export const VARIABLES: Readonly<Record<string, string>> = {
  VAI_HOME: 'Folder of everything vai keeps: config, databases, registry, run files, logs. Default `~/.vai`.',
  VAI_CONFIG_PATH: 'Another config file than `config.json` in `VAI_HOME`.',
  VAI_MCP_ALLOWED_HOSTS:
    'As `--allowed-host`: names the HTTP server may be called by; commas between several.',
  VAI_MCP_ALLOWED_ORIGINS: 'As `--allowed-origin`: web origins that may call the server with a key.',
  VAI_MCP_TRUSTED_PROXY: 'As `--trusted-proxy`: proxies whose `X-Forwarded-For` is believed.',
  VAI_DEBUG: 'Set: a failed command shows the stack of what caused it.',
  VAI_ERROR_JSON: 'Set: a failed command prints its error as JSON on stdout.',
  VAI_KEY: 'Name under which the configurations of `vai setup --url` look for the key of a remote server.',
  BLZ_MCP_CHANNELS: 'As `VAI_MCP_CHANNELS`, for `blz mcp`.',
  BLZ_DEFAULT_LIMIT: 'Hits that `blz search` shows when `-n` is not given.',
  BLZ_OUTPUT_FORMAT: 'Output of `blz` commands when `--format` is not given.',
  BLZ_LOG: '`debug`: as `--verbose`, for `blz mcp`.',
  RUST_LOG: 'The same, in the form of the original BLZ (`blz_mcp=debug`).',
  OPENAI_API_KEY: 'Used where `openai-base-url` is api.openai.com and no other key is set.',
  GEMINI_API_BASE: 'Another address for the Gemini API.',
  AWS_REGION: 'Region of Bedrock where `bedrock-region` is not set; `AWS_DEFAULT_REGION` after it.',
  AWS_DEFAULT_REGION: 'See `AWS_REGION`.',
  AWS_ACCESS_KEY_ID: 'Credentials of Bedrock, with the two below; else what the AWS SDK finds.',
  AWS_SECRET_ACCESS_KEY: 'See `AWS_ACCESS_KEY_ID`.',
  AWS_SESSION_TOKEN: 'See `AWS_ACCESS_KEY_ID`.',
  AWS_PROFILE: 'Profile of the AWS SDK.',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'Another address for Bedrock.',
  HF_ENDPOINT: 'A mirror to download local models from.',
  HF_HUB_OFFLINE: '`1`: local models are never downloaded.',
  NO_COLOR: 'Set: no colours on a terminal. `FORCE_COLOR`: colours without one.',
  FORCE_COLOR: 'See `NO_COLOR`.',
};
