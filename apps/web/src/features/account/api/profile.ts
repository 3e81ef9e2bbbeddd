import {
  getProfilePicture,
  removeProfilePicture,
  updateProfile,
  uploadProfilePicture,
  type Args,
  type UserWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf, routeOf } from "../../../lib/address.ts";
import { ApiError, authorization, call, failureOf, watchStatus } from "../../../lib/api.ts";
import { refreshCurrentUser } from "../../../lib/current-user.ts";
import { queryClient } from "../../../lib/query-client.ts";

const profileKeys = {
  picture: ({ id, pfpFilename }: Pick<UserWire, "id" | "pfpFilename">) => [
    "profile-picture",
    id,
    pfpFilename,
  ],
} as const;

/** Changes only the given fields. */
async function saveProfile(fields: Args<typeof updateProfile>): Promise<void> {
  await call(updateProfile, fields);
  await refreshCurrentUser();
}

const notUpdated = (message: string): string => i18next.t("account:notUpdated", { message });

/** `inForm` says that the form shows errors, so no toast repeats them. */
export const useUpdateProfile = ({ inForm = false } = {}) =>
  useMutation({ mutationFn: saveProfile, meta: { errorToast: inForm ? false : notUpdated } });

/** For `main.tsx`, outside React. */
export const savePreference = (
  fields: Pick<Args<typeof updateProfile>, "theme" | "userLang">,
): Promise<void> =>
  queryClient
    .getMutationCache()
    .build(queryClient, {
      mutationFn: saveProfile,
      meta: { errorToast: (message) => i18next.t("shell:profileNotUpdated", { message }) },
    })
    .execute(fields);

/**
 * The picture's bytes, fetched with the session because an `img` cannot send it; null if there is
 * none.
 */
export const pictureQuery = (user: Pick<UserWire, "id" | "pfpFilename">) =>
  queryOptions({
    queryKey: profileKeys.picture(user),
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
    throw new ApiError(0, { message: fallback });
  }
  if (!response.ok) {
    const failure = await failureOf(response);
    throw failure.fault && response.status < 500
      ? failure
      : new ApiError(response.status, { message: fallback });
  }
  await refreshCurrentUser();
};

export const useUploadPicture = () =>
  useMutation({
    mutationFn: async (file: File) => {
      if (!file.type.startsWith("image/")) throw new Error(i18next.t("account:pictureNotImage"));
      const form = new FormData();
      form.append("file", file, file.name);
      await request(uploadProfilePicture, i18next.t("account:pictureUploadFailed"), form);
    },
    meta: { errorToast: (message) => i18next.t("account:pictureNotUploaded", { message }) },
  });

export const useRemovePicture = () =>
  useMutation({
    mutationFn: () => request(removeProfilePicture, i18next.t("account:pictureRemoveFailed"), null),
    meta: { errorToast: (message) => i18next.t("account:pictureNotRemoved", { message }) },
  });
