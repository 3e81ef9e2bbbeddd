import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { foldersQuery } from "../api/library.ts";
import type { DragPlace } from "../state/drag-zones.ts";
import { folderPath, rootFolder } from "../state/folder-tree.ts";

/** Says where the dragged items will go. */
export function DropHint({
  place,
  name,
  library,
}: {
  place: DragPlace;
  /** The workspace's name. */
  name: string;
  /** Whether My documents is on the page too. */
  library: boolean;
}) {
  const { t } = useTranslation(["library", "documents"]);
  const zone = library ? place.zone : "workspace";
  const folders = useQuery({ ...foldersQuery, enabled: false }).data?.tree;
  const folder =
    place.folder && place.folder !== rootFolder
      ? folderPath(folders, place.folder)
      : t("myDocuments");
  const isFiles = place.what === "files";
  return (
    <div
      className={cn(
        "pointer-events-none absolute inset-2 z-(--layer-sheet) grid content-end justify-center rounded-lg border-2 border-dashed border-accent-solid bg-accent-solid/5 pb-6",
        library &&
          (zone === "library"
            ? "end-auto w-[388px] @max-[901px]/documents:end-2 @max-[901px]/documents:w-auto"
            : "start-[412px] @max-[901px]/documents:start-2"),
      )}
      aria-hidden="true"
    >
      <span className="flex max-w-full flex-wrap items-center gap-2.5 rounded-md border border-line bg-overlay px-4 py-2.5 shadow-float">
        <Upload className="text-accent" />
        <b className="font-medium">
          {zone === "library"
            ? t(isFiles ? "dropLibrary" : "dropMoveFolder", { folder })
            : t(isFiles ? "dropWorkspace" : "dropMove", { name })}
        </b>
        {isFiles && (
          <span className="text-fg-2">
            {place.count > 0
              ? t("documents:dropFiles", { count: place.count })
              : t("documents:dropHere")}
          </span>
        )}
      </span>
    </div>
  );
}
