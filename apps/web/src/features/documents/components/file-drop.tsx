import { Upload } from "lucide-react";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Main } from "../../../components/ui/page.tsx";
import { toast } from "../../../lib/toast.ts";
import { takeRoots } from "../state/dropped-roots.ts";

const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

interface Dragged {
  /** 0 if the browser doesn't report it. */
  count: number;
  images: "all" | "some" | "none";
}

/** Files have a type while they are dragged; folders don't, and some browsers report nothing. */
function describeDrag(items: DataTransferItem[]): Dragged {
  const isImage = ({ type }: DataTransferItem): boolean => type.startsWith("image/");
  const mayBe = (item: DataTransferItem): boolean => item.type === "" || isImage(item);
  const images =
    items.length > 0 && items.every(isImage)
      ? "all"
      : items.length === 0 || items.some(mayBe)
        ? "some"
        : "none";
  return { count: items.length, images };
}

export interface FileDropProps {
  /** What will happen to the files. */
  title: string;
  /** What happens to images: `title` if all files are images, `note` if some may be. */
  pictures?: { title: string; note: string } | null;
  /** Supported file extensions, for filtering the contents of folders. */
  accept: string;
  /**
   * null if the user may not add documents. Drops are still intercepted, so that the browser
   * doesn't replace the app with the file.
   */
  onFiles: ((files: File[]) => void) | null;
}

/**
 * Accepts files dropped anywhere on the page and says where they will go, over the nearest
 * positioned element around it.
 */
export function FileDrop({ title, pictures = null, accept, onFiles }: FileDropProps) {
  const { t } = useTranslation("documents");
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const depth = useRef(0);
  useLayoutEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event) || !onFiles) return;
      depth.current += 1;
      setDragged(describeDrag([...(event.dataTransfer?.items ?? [])]));
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth.current -= 1;
      if (depth.current <= 0) {
        depth.current = 0;
        setDragged(null);
      }
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setDragged(null);
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
  if (dragged === null) return null;
  return (
    <div className="pointer-events-none absolute inset-2 z-(--layer-sheet) grid place-content-center justify-items-center gap-2 rounded-lg border-2 border-dashed border-accent-solid bg-surface/97 px-4 text-center text-balance">
      <Upload className="size-5 stroke-[1.6] text-accent" aria-hidden="true" />
      <b className="text-lg font-medium">
        {dragged.images === "all" && pictures !== null ? pictures.title : title}
      </b>
      {dragged.images !== "none" && pictures !== null && (
        <p className="text-fg-2">{pictures.note}</p>
      )}
      <p className="text-fg-2">
        {dragged.count > 0 ? t("dropFiles", { count: dragged.count }) : t("dropHere")}
      </p>
    </div>
  );
}

/** The main column of a page that accepts files dropped anywhere. */
export function DropZone({ children, ...drop }: FileDropProps & { children: ReactNode }) {
  return (
    <Main>
      {children}
      <FileDrop {...drop} />
    </Main>
  );
}
