import type { ComponentProps } from "react";

/** A hidden file field that a button opens through its ref. The same file can be chosen again. */
export function FileInput({
  label,
  onFiles,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "hidden" | "onChange"> & {
  label: string;
  onFiles: (files: File[]) => void;
}) {
  return (
    <input
      {...rest}
      type="file"
      hidden
      aria-label={label}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = "";
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
