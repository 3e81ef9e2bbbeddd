import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { canSignIn } from "../api/shared-thread.ts";
import { SharedFrame } from "./shared-frame.tsx";

/** Shown for every link that can't be opened; the reason isn't disclosed. */
export function GonePage() {
  const { t } = useTranslation("share");
  const { pathname } = useLocation();
  return (
    <SharedFrame title={t("page.gone")}>
      <h1 className="text-xl font-semibold">{t("page.gone")}</h1>
      <p className="mt-2 max-w-[60ch] text-fg-2">{t("page.goneText")}</p>
      {canSignIn() && (
        <Link
          className={buttonStyles({ variant: "primary", className: "mt-5 max-md:h-11" })}
          to="/login"
          search={{ to: pathname }}
        >
          {t("page.signIn")}
        </Link>
      )}
    </SharedFrame>
  );
}
