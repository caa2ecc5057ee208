// The block of settings at the top of many Markdown files.

/** Lines of the block between two rules at the top; 0 without one. */
export function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  return lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') + 1;
}

export function frontMatterTitle(lines: readonly string[]): string | undefined {
  const line = lines.slice(0, frontMatterEnd(lines)).find((one) => one.startsWith('title:'));
  return (
    line
      ?.slice('title:'.length)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2') || undefined
  );
}
