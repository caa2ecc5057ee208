// What an explanation is. The texts are data, a few to a file, in plain Markdown.

export interface Topic {
  name: string;
  /** Other words for it, lower case. */
  aliases: readonly string[];
  title: string;
  /** One sentence. */
  summary: string;
  content: string;
  /** Commands that run as they stand. */
  tryIt: readonly string[];
  /** Names of other topics. */
  related: readonly string[];
  links?: readonly string[];
}
