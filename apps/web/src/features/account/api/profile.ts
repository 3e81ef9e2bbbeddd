import {
  getProfilePicture,
  removeProfilePicture,
  updateProfile,
  uploadProfilePicture,
  type Args,
  type UserWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import {
  ApiError,
  addressOf,
  authorization,
  call,
  failureOf,
  routeOf,
  watchStatus,
} from "../../../lib/api.ts";
import { refreshCurrentUser } from "../../../lib/current-user.ts";

/**
 * Changes fields of the own profile; those that are absent stay. Throws with the server's words.
 */
export async function saveProfile(fields: Args<typeof updateProfile>): Promise<void> {
  const { success, error } = await call(updateProfile, fields);
  if (!success) throw new Error(error ?? "");
  await refreshCurrentUser();
}

/**
 * The picture as bytes, fetched with the session (an `img` cannot carry it); null where there is
 * none.
 */
export const pictureQuery = (user: Pick<UserWire, "id" | "pfpFilename">) =>
  queryOptions({
    queryKey: ["profile-picture", user.id, user.pfpFilename],
    enabled: user.pfpFilename !== null,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const response = await fetch(addressOf(getProfilePicture, { id: String(user.id) }).url, {
        headers: authorization(),
        signal,
      });
      if (response.status === 204) return null;
      if (!response.ok) {
        console.error("Failed to fetch pfp.", response.status);
        return null;
      }
      return response.blob();
    },
  });

const request = async (
  operation: typeof uploadProfilePicture | typeof removeProfilePicture,
  fallback: string,
  body: FormData | null,
): Promise<void> => {
  let response: Response;
  try {
    response = watchStatus(
      await fetch(addressOf(operation, {}).url, {
        method: routeOf(operation).method,
        headers: authorization(),
        body,
      }),
    );
  } catch {
    throw new ApiError(0, fallback); // no reply: nothing of the server's to show
  }
  if (!response.ok) {
    const failure = await failureOf(response);
    throw response.status < 500 && failure.message !== ""
      ? failure
      : new ApiError(response.status, fallback);
  }
  await refreshCurrentUser();
};

/** Sets the own picture. Throws with the server's words, or with `fallback` when it gave none. */
export async function uploadPicture(file: File, fallback: string): Promise<void> {
  const form = new FormData();
  form.append("file", file, file.name);
  await request(uploadProfilePicture, fallback, form);
}

export const removePicture = (fallback: string): Promise<void> =>
  request(removeProfilePicture, fallback, null);
