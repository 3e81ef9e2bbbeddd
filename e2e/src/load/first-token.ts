import { quantile, timeStream } from "../../../bench/client.ts";
import { Api } from "../api.ts";

/**
 * Asks one question after another while k6 runs, because k6 reads a stream only as a whole: the
 * times until the first word, in ms.
 */
export async function watchFirstToken(
  url: string,
  token: string | null,
  signal: AbortSignal,
): Promise<string> {
  const api = Object.assign(new Api(url), { token });
  const { slug } = await api.makeWorkspace("Load test: first token");
  const thread = `/workspace/${slug}/thread`;
  const times: number[] = [];
  let failed = 0;
  while (!signal.aborted) {
    const { slug: name } = (await api.json<{ thread: { slug: string } }>("POST", `${thread}/new`))
      .thread;
    const { first, error, complete } = await timeStream(
      url,
      `/api${thread}/${name}/stream-chat`,
      { message: `What is this, number ${times.length}?` },
      (frame) => frame.includes("textResponseChunk") && !frame.includes('"textResponse":""'),
      (frame) => frame.includes("finalizeResponseStream"),
      token === null ? {} : { authorization: `Bearer ${token}` },
    );
    if (error === null && complete) times.push(first);
    else failed += 1;
  }
  await api.call("DELETE", `/workspace/${slug}`);
  const [median, most] = [quantile(times, 0.5), Math.max(...times)].map((ms) => ms.toFixed(0));
  return `first token of ${times.length} further questions, one after another: median ${median} ms, slowest ${most} ms, ${failed} failed`;
}
