// What the greeting of each server may weigh at most, in bytes: hosts read it into the context of their model.

export interface Greeting {
  initialize: number;
  tools: number;
}

export const LIMITS: Record<string, Greeting> = {
  vai: { initialize: 2_048, tools: 13_500 },
  blz: { initialize: 1_024, tools: 2_000 },
  flowrag: { initialize: 2_048, tools: 8_500 },
  all: { initialize: 2_048, tools: 24_000 },
};
