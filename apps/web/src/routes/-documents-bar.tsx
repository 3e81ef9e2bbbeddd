import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "../features/documents/texts.ts";
import { Topbar } from "../features/shell/components/topbar.tsx";

const tab =
  "inline-flex h-7 items-center rounded-sm px-2.5 text-fg-2 hover:text-fg-1 aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-fg-1 max-md:h-9 max-md:px-2";

/** The bar above a workspace's documents: their files, and the sources that they come from. */
export function DocumentsBar({
  slug,
  name,
  isSources = false,
  children,
}: {
  slug: string;
  /** The workspace's. */
  name: string;
  isSources?: boolean;
  /** Buttons. */
  children: ReactNode;
}) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  return (
    <Topbar
      above={
        <Link to="/workspace/$workspaceSlug" params={{ workspaceSlug: slug }}>
          {name}
        </Link>
      }
      title={t("documents:title")}
      beside={
        <nav className="ms-3 flex gap-0.5 max-md:ms-1" aria-label={t("places")}>
          <Link
            className={tab}
            to="/workspace/$workspaceSlug/documents"
            params={{ workspaceSlug: slug }}
            search={{}}
            activeOptions={{ exact: true }}
          >
            {t("placeFiles")}
          </Link>
          <Link
            className={tab}
            to="/workspace/$workspaceSlug/documents"
            params={{ workspaceSlug: slug }}
            search={{ sources: "all" }}
            aria-current={isSources ? "page" : undefined}
          >
            {t("placeSources")}
          </Link>
        </nav>
      }
    >
      {children}
    </Topbar>
  );
}
