import { Main } from "../../../components/ui/main.tsx";
import { Upload } from "lucide-react";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { takeRoots } from "../state/dropped-roots.ts";

const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** Accepts files dropped anywhere on the page and says where they will go. */
export function DropZone({
  title,
  note = null,
  accept,
  onFiles,
  children,
}: {
  /** What will happen to the files. */
  title: string;
  /** What else will happen to them. */
  note?: string | null;
  /** Supported file extensions, for filtering the contents of folders. */
  accept: string;
  /**
   * null if the user may not add documents. Drops are still intercepted, so the browser doesn't
   * open the file in place of the app.
   */
  onFiles: ((files: File[]) => void) | null;
  children: ReactNode;
}) {
  const { t } = useTranslation("documents");
  const [count, setCount] = useState<number | null>(null);
  const depth = useRef(0);
  useLayoutEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event) || !onFiles) return;
      depth.current += 1;
      setCount(event.dataTransfer?.items.length ?? 0);
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth.current -= 1;
      if (depth.current <= 0) {
        depth.current = 0;
        setCount(null);
      }
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setCount(null);
      if (!onFiles) return;
      const roots = takeRoots([...(event.dataTransfer?.items ?? [])]);
      void import("../state/dropped-files.ts")
        .then(({ readRoots }) => readRoots(roots, accept))
        .then(({ files, skipped }) => {
          if (files.length > 0) onFiles(files.map((each) => each.file));
          if (skipped.length > 0) toast.info(t("skipped", { count: skipped.length }));
          else if (files.length === 0) toast.info(t("emptyFolder"));
        });
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, [accept, onFiles, t]);
  return (
    <Main>
      {children}
      {count !== null && (
        <div className="pointer-events-none absolute inset-2 z-(--layer-sheet) grid place-content-center justify-items-center gap-2 rounded-lg border-2 border-dashed border-accent-solid bg-surface/97 text-center">
          <Upload className="size-5 stroke-[1.6] text-accent" aria-hidden="true" />
          <b className="text-lg font-medium">{title}</b>
          {note !== null && <p className="text-fg-2">{note}</p>}
          <p className="text-fg-2">{count > 0 ? t("dropFiles", { count }) : t("dropHere")}</p>
        </div>
      )}
    </Main>
  );
}
