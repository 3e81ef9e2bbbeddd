import type { findUploaded, Out } from "@carrel/contracts";

type Uploaded = Out<typeof findUploaded>["documents"][number];

/**
 * Writes an upload's response (wire-contract 9.3) while reading the texts, so that no text is held
 * in memory as a whole.
 */
export async function* writeUploaded(
  documents: readonly Uploaded[],
  readText: (documentId: string) => AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '{"success":true,"error":null,"documents":[';
  for (const [
    n,
    { token_count_estimate, location, isDirectUpload, ...document },
  ] of documents.entries()) {
    yield `${n === 0 ? "" : ","}${JSON.stringify(document).slice(0, -1)},"pageContent":"`;
    // Half a surrogate pair at the end of a part is written as an escape, and the next part's other
    // half completes it.
    for await (const text of readText(document.id)) yield JSON.stringify(text).slice(1, -1);
    yield `","token_count_estimate":${token_count_estimate},"location":${JSON.stringify(location)},"isDirectUpload":${isDirectUpload}}`;
  }
  yield "]}";
}
