import { getLogo, removeLogo, uploadLogo } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import type { Theme } from "../../../lib/active-theme.ts";
import { authorization, call, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { fetchLogo } from "./branding.ts";

export const logoQuery = (theme: Theme) =>
  queryOptions({
    queryKey: [...instanceKeys.branding, "logo", theme],
    queryFn: ({ signal }) => fetchLogo(theme, signal),
  });

async function send(theme: Theme, picture: Blob): Promise<void> {
  const form = new FormData();
  form.append("logo", picture, "logo");
  const { url } = addressOf(uploadLogo, { theme });
  const response = watchStatus(
    await fetch(`${url}?theme=${theme}`, { method: "POST", headers: authorization(), body: form }),
  );
  if (isFailure(response)) throw await failureOf(response);
}

/** Sets the logo of a theme, or restores Carrel's if there is no picture. */
export const useSetLogo = () =>
  useMutation({
    mutationFn: async ({ theme, picture }: { theme: Theme; picture: Blob | null }) => {
      if (picture === null) return void (await call(removeLogo, { theme }));
      if (!picture.type.startsWith("image/")) throw new Error(i18next.t("appearance:notImage"));
      await send(theme, picture);
    },
    meta: { invalidates: [instanceKeys.branding], errorToast: false },
  });

/** What a theme shows now, to put it back; null if it is not its own. */
export async function readOwnLogo(theme: Theme): Promise<Blob | null> {
  const response = await fetch(addressOf(getLogo, { theme }).url);
  if (!response.ok) throw new Error("Failed to fetch logo!");
  return response.headers.get("X-Carrel-Logo-Theme") === theme ? response.blob() : null;
}
