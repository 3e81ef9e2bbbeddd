/**
 * Copies text. Without HTTPS the clipboard API is unavailable, but a selection and the old copy
 * command still work.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Inside the open dialog, if any: its focus trap would take the selection from anything outside.
  (document.activeElement?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Downloads text as a file. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser reads it after this returns
}
