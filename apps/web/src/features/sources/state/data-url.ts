/** A file's content as a `data:` URL. */
export const dataUrlOf = (
  bytes: Uint8Array<ArrayBuffer> | ArrayBuffer,
  type: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file can't be read."));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });
