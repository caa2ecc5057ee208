// What the greeting of each door may weigh at most, in bytes: hosts read it into the context of their model.

export interface Greeting {
  initialize: number;
  tools: number;
}

export const LIMITS: Record<string, Greeting> = {
  vai: { initialize: 2_048, tools: 12_000 },
  blz: { initialize: 1_024, tools: 1_800 },
  flowrag: { initialize: 2_048, tools: 6_500 },
  all: { initialize: 2_048, tools: 20_000 },
};
