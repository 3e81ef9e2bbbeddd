import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { workspacePictureQuery } from "../../../lib/workspaces.ts";

/** Decorative: the name is next to it. */
export default function WorkspacePicture({ slug, file }: { slug: string; file: string }) {
  const bytes = useQuery(workspacePictureQuery(slug, file)).data ?? null;
  return bytes && <Picture bytes={bytes} />;
}

/** The object URL lives as long as the element. */
function Picture({ bytes }: { bytes: Blob }) {
  const give = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(bytes);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [bytes],
  );
  return (
    <img
      ref={give}
      className="size-4.5 flex-none rounded-[5px] object-cover"
      alt=""
      draggable={false}
    />
  );
}
