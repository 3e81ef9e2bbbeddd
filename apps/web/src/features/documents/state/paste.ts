import { useLayoutEffect } from "react";
import { findLinks } from "./pasted-links.ts";

/** Handles files and links pasted anywhere on the page except into a field or dialog. */
export function usePaste(
  onPaste: (files: File[], links: string[]) => void,
  enabled: boolean,
): void {
  useLayoutEffect(() => {
    if (!enabled) return;
    const paste = (event: ClipboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (
        target?.closest(
          'input:not([type="checkbox"]), textarea, [contenteditable="true"], [role="dialog"]',
        )
      )
        return;
      const files = [...(event.clipboardData?.files ?? [])];
      const links = findLinks(event.clipboardData?.getData("text/plain") ?? "");
      if (files.length + links.length === 0) return;
      event.preventDefault();
      onPaste(files, links);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [onPaste, enabled]);
}
