import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ClosedDoor, ClosedReason } from "../../../components/ui/closed-door.tsx";
import { Main } from "../../../components/ui/page.tsx";
import { addTexts } from "../../../lib/i18n.ts";
import connections from "../../../locales/en/connections.json" with { type: "json" };
import { useLiveRuns } from "../state/live-runs.ts";
import type { SourcePlace } from "../state/place.ts";
import { ConnectorGrid } from "./connector-grid.tsx";
import { EditSource, NewSource } from "./source-form.tsx";
import { SourceView } from "./source-view.tsx";
import { SourcesList } from "./sources-list.tsx";

// Loaded with the sources' page, not with the first one.
addTexts("connections", connections);

export interface SourcesPageProps {
  slug: string;
  /** The workspace's. */
  name: string;
  place: SourcePlace;
  rights: {
    uploads: boolean;
    /** Until then, nothing is shown as unavailable. */
    isKnown: boolean;
  };
  /** The document processor is down. */
  isOffline: boolean;
  /** Renders the top bar with these buttons. */
  bar: (buttons: ReactNode) => ReactNode;
}

const addButton = "max-md:h-9 max-md:px-3.5 max-md:text-sm";

/** Where a workspace's documents are imported from. */
export function SourcesPage({ slug, name, place, rights, isOffline, bar }: SourcesPageProps) {
  const { t } = useTranslation("connections");
  const navigate = useNavigate();
  const shownId = "id" in place ? place.id : null;
  useLiveRuns(
    slug,
    rights.uploads,
    useCallback(
      (removed: string) => {
        if (removed === shownId)
          void navigate({
            to: "/workspace/$workspaceSlug/documents",
            params: { workspaceSlug: slug },
            search: { sources: "all" },
            ignoreBlocker: true,
          });
      },
      [navigate, shownId, slug],
    ),
  );
  const add = (
    <>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("add")}
    </>
  );
  return (
    <Main className="@container/sources">
      {bar(
        rights.uploads
          ? place.page !== "new" && (
              <Link
                className={buttonStyles({ variant: "primary", size: "sm", className: addButton })}
                to="/workspace/$workspaceSlug/documents"
                params={{ workspaceSlug: slug }}
                search={{ sources: "new" }}
              >
                {add}
              </Link>
            )
          : rights.isKnown && (
              <ClosedDoor door="sources">
                <Button className={addButton} size="sm">
                  {add}
                </Button>
              </ClosedDoor>
            ),
      )}
      {rights.uploads ? (
        <Content slug={slug} name={name} place={place} isOffline={isOffline} />
      ) : (
        rights.isKnown && <ClosedReason door="sources" className="max-w-160 p-6 max-md:p-4" />
      )}
    </Main>
  );
}

function Content({
  slug,
  name,
  place,
  isOffline,
}: Pick<SourcesPageProps, "slug" | "name" | "place" | "isOffline">) {
  switch (place.page) {
    case "list":
      return <SourcesList slug={slug} name={name} />;
    case "new":
      return place.connector === null ? (
        <ConnectorGrid slug={slug} isOffline={isOffline} />
      ) : (
        <NewSource key={place.connector} slug={slug} id={place.connector} isOffline={isOffline} />
      );
    case "source":
      return <SourceView key={place.id} slug={slug} id={place.id} />;
    case "edit":
      return <EditSource key={place.id} slug={slug} id={place.id} />;
  }
}
