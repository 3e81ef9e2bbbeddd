/**
 * The data of each event of a `text/event-stream`. Ending the iteration early cancels the stream,
 * which stops the request.
 */
export async function* readEventData(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // A line break may be split between two chunks, so a final \r waits for what follows.
      const lines = rest.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === "" && data.length > 0) {
          yield data.join("\n");
          data = [];
        } else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      }
      if (done) return; // an event without its blank line is incomplete
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
