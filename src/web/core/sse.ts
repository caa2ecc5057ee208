// Reads the event stream a long call answers with, message by message. Bounded: a stream that never ends a line is cut.

const MAX_EVENT = 16 * 1024 * 1024;

/** Feeds text in, gets the data of whole events out. */
export function createEventParser(onData: (data: string) => void): (text: string) => void {
  let rest = '';
  let data: string[] = [];
  return (text) => {
    rest += text;
    if (rest.length > MAX_EVENT) throw new Error('The answer is too large.');
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onData(data.join('\n'));
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''));
      }
    }
  };
}

export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const feed = createEventParser(onData);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    feed(decoder.decode(value, { stream: true }));
  }
  feed(`${decoder.decode()}\n\n`);
}
