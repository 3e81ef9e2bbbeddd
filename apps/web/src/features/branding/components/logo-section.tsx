import { getLogo, removeLogo, uploadLogo } from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import type { Theme } from "../../../lib/active-theme.ts";
import { addressOf } from "../../../lib/address.ts";
import { authorization, call, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";
import { fetchLogo } from "../api/branding.ts";

const logoQuery = (theme: Theme) =>
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
const useSetLogo = () =>
  useMutation({
    mutationFn: async ({ theme, picture }: { theme: Theme; picture: Blob | null }) => {
      if (picture === null) return void (await call(removeLogo, { theme }));
      if (!picture.type.startsWith("image/")) throw new Error(i18next.t("appearance:notImage"));
      await send(theme, picture);
    },
    meta: { invalidates: [instanceKeys.branding], errorToast: false },
  });

/** The logo that a theme shows now, to restore it; null if it isn't the theme's own. */
async function readOwnLogo(theme: Theme): Promise<Blob | null> {
  const response = await fetch(addressOf(getLogo, { theme }).url);
  if (!response.ok) throw new Error("Failed to fetch logo!");
  return response.headers.get("X-Carrel-Logo-Theme") === theme ? response.blob() : null;
}

/** The logos of both themes; saved as soon as they are chosen. */
export function LogoSection() {
  const { t } = useTranslation(["appearance", "common"]);
  return (
    <FormSection title={t("logo")} help={t("logoHelp")}>
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <LogoOfTheme theme="default" />
        <LogoOfTheme theme="light" />
      </div>
    </FormSection>
  );
}

/** The themes' own canvas (tokens.css), whichever is active. */
const canvas: Record<Theme, string> = {
  default: "#131210",
  light: "#f7f5f3",
};

function LogoOfTheme({ theme }: { theme: Theme }) {
  const { t } = useTranslation(["appearance", "common"]);
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const logo = useQuery(logoQuery(theme));
  const set = useSetLogo();
  const title = t(`logoOf.${theme}`);
  const restore = (picture: Blob | null): void =>
    set.mutate(
      { theme, picture },
      { onError: (error) => toast.error(t("common:undoFailed", { message: error.message })) },
    );
  const change = async (picture: Blob | null): Promise<void> => {
    try {
      const before = await readOwnLogo(theme);
      await set.mutateAsync({ theme, picture });
      button.current?.focus(); // the button that was pressed may be gone
      toast.success(t(picture ? "logoSaved" : "logoRemoved"), () => restore(before));
    } catch (error) {
      const message = errorMessage(error);
      toast.error(t(picture ? "logoFailed" : "logoNotRemoved", { message }));
    }
  };
  const isShared = theme === "light" && logo.data?.isCustom === true && !logo.data.isOwn;
  return (
    <div className="grid gap-2.5" role="group" aria-label={title}>
      <div
        className="grid h-24 place-items-center rounded-md border border-line p-4"
        style={{ background: canvas[theme] }}
      >
        {logo.data?.url ? (
          <img className="max-h-12 max-w-full object-contain" src={logo.data.url} alt={title} />
        ) : (
          <Skeleton className="w-24" />
        )}
      </div>
      <p>
        <span className="font-medium">{title}</span>
        <span className="block text-xs text-fg-3">
          {isShared ? t("logoShared") : t(logo.data?.isCustom ? "logoOwn" : "logoDefault")}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <FileInput
          ref={picker}
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          label={title}
          onFiles={([file]) => void change(file!)}
        />
        <Button
          ref={button}
          disabled={set.isPending}
          aria-label={`${t("choose")}: ${title}`}
          onClick={() => picker.current?.click()}
        >
          {set.isPending ? t("common:saveBar.saving") : t("choose")}
        </Button>
        {logo.data?.isOwn && (
          <Button
            variant="quiet"
            disabled={set.isPending}
            aria-label={`${t("removeLogo")}: ${title}`}
            onClick={() => void change(null)}
          >
            {t("removeLogo")}
          </Button>
        )}
      </div>
    </div>
  );
}
