import { useQuery } from "@tanstack/react-query";
import { createFileRoute, useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Main } from "../components/ui/page.tsx";
import { sidePanel } from "../components/ui/styles.ts";
import { acceptedTypesQuery } from "../features/documents/api/accepted-types.ts";
import { DocumentsManager } from "../features/documents/components/documents-manager.tsx";
import { countOf, countsQuery } from "../features/shell/api/workspaces.ts";
import { usePageTitle } from "../lib/brand.ts";
import { useRights, useWorkspaceRights } from "../lib/current-user.ts";
import { readPlaceHash, type DocumentPlace } from "../lib/document-place.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { DocumentsBar } from "./-documents-bar.tsx";
import { requireWorkspace } from "./-guards.ts";

const SourcesScreen = lazyPart(() => import("./-sources-screen.tsx"));
const SourcePanel = lazyPart(() => import("../features/sources/components/source-panel.tsx"));

export const Route = createFileRoute("/_app/workspace/$workspaceSlug/documents")({
  loader: ({ context, params }) => requireWorkspace(context.queryClient, params.workspaceSlug),
  // Not routes of their own, because each costs the first page a part of its script.
  validateSearch: ({ sources }: { sources?: unknown }): { sources?: string } =>
    typeof sources === "string" ? { sources } : {},
  component: DocumentsPlace,
});

function DocumentsPlace() {
  const slug = Route.useParams().workspaceSlug;
  const { sources } = Route.useSearch();
  if (sources === undefined) return <DocumentsScreen />;
  return (
    <Suspense fallback={<Main aria-busy="true" />}>
      <SourcesScreen slug={slug} rest={sources} />
    </Suspense>
  );
}

const noQuotes: string[] = [];

/**
 * An open document or a place in it; `through` is the workspace it is read in, null for the
 * library.
 */
interface Opened extends DocumentPlace {
  through: string | null;
}

function DocumentsScreen() {
  const { t } = useTranslation("documents");
  const slug = Route.useParams().workspaceSlug;
  const workspaces = useQuery(workspacesQuery).data;
  const workspace = workspaces?.find((each) => each.slug === slug);
  const counts = useQuery(countsQuery).data;
  const accept = useQuery(acceptedTypesQuery).data?.join(",") ?? "";
  const [open, setOpen] = useState<Opened | null>(null);
  const { manager } = useRights();
  const { manages, uploads, isKnown } = useWorkspaceRights();
  const navigate = useNavigate();
  // The palette opens a document by the address's hash.
  const hash = useLocation({ select: (location) => location.hash });
  const [followed, setFollowed] = useState("");
  if (hash !== followed) {
    setFollowed(hash);
    const place = readPlaceHash(hash);
    if (place !== null) setOpen({ ...place, through: slug });
  }
  usePageTitle(t("title"));
  const name = workspace?.name ?? slug;
  const onOpen = useCallback(
    (place: DocumentPlace, through: string | null) => setOpen({ ...place, through }),
    [setOpen],
  );
  const bar = (buttons: ReactNode): ReactNode => (
    <DocumentsBar slug={slug} name={name}>
      {buttons}
    </DocumentsBar>
  );
  return (
    <>
      <DocumentsManager
        key={slug}
        slug={slug}
        workspaceId={workspace?.id}
        name={name}
        count={countOf(counts, workspace?.id)}
        accept={accept}
        rights={{
          library: manager,
          manages: manages(workspace?.id),
          uploads: uploads(workspace?.id),
          uploadsClosed: isKnown,
        }}
        onOpen={onOpen}
        bar={bar}
      />
      {open && (
        <Suspense fallback={<aside className={sidePanel} data-panel aria-busy="true" />}>
          <SourcePanel
            key={`${open.through ?? ""} ${open.documentId} ${open.start}`}
            slug={open.through}
            sources={[]}
            index={0}
            quotes={noQuotes}
            document={open}
            marks={open.marks}
            tab="page"
            onTab={() => undefined}
            onIndex={() => undefined}
            onClose={() => {
              setOpen(null);
              if (hash !== "") void navigate({ to: ".", hash: "", replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
