import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { linkStyles } from "../components/ui/styles.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";

/** The bar of the flow builder, which leads back to the list of flows. */
export function BuilderTopbar({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("flows");
  return (
    <Topbar
      above={
        <Link className={linkStyles} to="/settings/agents" search={{ view: "flows" }}>
          {t("builder.back")}
        </Link>
      }
      title={title}
    >
      {children}
    </Topbar>
  );
}
