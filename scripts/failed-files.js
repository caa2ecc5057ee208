// A reporter for `node --test`: the files in which something failed, one a line.

/** @param {AsyncIterable<{ type: string, data: { file?: string } }>} events */
export default async function* failedFiles(events) {
  const failed = new Set();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || !data.file || failed.has(data.file)) continue;
    failed.add(data.file);
    yield `${data.file}\n`;
  }
}
