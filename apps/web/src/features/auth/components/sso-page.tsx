import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { AuthFrame } from "./auth-frame.tsx";

/** Explains why single sign-on failed. */
export function SsoPage({ message, logo }: { message: string; logo?: ReactNode }) {
  const { t } = useTranslation("auth");
  return (
    <AuthFrame title={t("sso.title")} logo={logo}>
      <Notice kind="bad">
        <p>
          <b>{message}</b>
        </p>
        <p>{t("sso.contact")}</p>
      </Notice>
      <Link
        className={buttonStyles({ size: "lg", className: "w-full" })}
        to="/login"
        search={{ nt: 1 }}
      >
        {t("backToLogin")}
      </Link>
    </AuthFrame>
  );
}
