/**
 * Saves a reply as a file; for replies that a link can't fetch, because it can't send the session
 * token.
 */
export async function saveFile(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser reads it after this returns
}
