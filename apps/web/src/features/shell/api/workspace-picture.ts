import { getWorkspacePicture } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { addressOf, authorization } from "../../../lib/api.ts";

/**
 * The picture as bytes, fetched with the session (an `img` cannot carry it); null where there is
 * none. `file` changes with the picture.
 */
export const workspacePictureQuery = (slug: string, file: string) =>
  queryOptions({
    queryKey: ["workspace-picture", slug, file],
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const response = await fetch(addressOf(getWorkspacePicture, { slug }).url, {
        headers: authorization(),
        signal,
      });
      return response.status === 200 ? response.blob() : null; // without it the name stands alone
    },
  });
