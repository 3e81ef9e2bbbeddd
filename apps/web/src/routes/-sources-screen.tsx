import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SourcesPage } from "../features/connections/components/sources-page.tsx";
import { readSourcePlace } from "../features/connections/state/place.ts";
import { processorQuery } from "../features/documents/api/library.ts";
import { usePageTitle } from "../lib/brand.ts";
import { useWorkspaceRights } from "../lib/current-user.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { DocumentsBar } from "./-documents-bar.tsx";

/** What a workspace's documents are imported from. */
export default function SourcesScreen({ slug, rest }: { slug: string; rest: string }) {
  const { t } = useTranslation("connections");
  const workspace = useQuery(workspacesQuery).data?.find((each) => each.slug === slug);
  const { uploads, isKnown } = useWorkspaceRights();
  const mayUpload = uploads(workspace?.id);
  const isOffline = useQuery({ ...processorQuery, enabled: mayUpload }).data === false;
  const place = useMemo(() => readSourcePlace(rest), [rest]);
  const name = workspace?.name ?? slug;
  usePageTitle(t("title"));
  return (
    <SourcesPage
      key={slug}
      slug={slug}
      name={name}
      place={place}
      rights={{ uploads: mayUpload, isKnown }}
      isOffline={isOffline}
      bar={(buttons) => (
        <DocumentsBar slug={slug} name={name} isSources>
          {buttons}
        </DocumentsBar>
      )}
    />
  );
}
