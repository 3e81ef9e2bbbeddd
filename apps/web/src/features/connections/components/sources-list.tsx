import type { ConnectionWire, ConnectorWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { SourceIcon } from "../../../components/source/source-icon.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { formatAgo, formatNumber, joinFacts } from "../../../lib/format.ts";
import { connectionsQuery, connectorsQuery, mainReasonQuery } from "../api/connections.ts";
import { addressOfSource } from "../state/draft.ts";
import { isOpen } from "../state/run-figures.ts";
import { ConnectorGrid } from "./connector-grid.tsx";
import { RunState } from "./run-state.tsx";
import { useSourceMenu } from "./source-actions.tsx";
import { LoadingSources, SourceBody, SourceLink, FailedSources } from "./source-page-parts.tsx";

const gridRow =
  "grid grid-cols-[32px_minmax(0,1fr)_260px_120px_90px_40px] items-center gap-4 border-subtle ps-6 pe-4 @max-[900px]/sources:grid-cols-[32px_minmax(0,1fr)_230px_110px_40px] max-md:grid-cols-[32px_minmax(0,1fr)_40px]!";
const headRow = `${gridRow} sticky top-0 z-1 h-8 border-b bg-surface text-xs/5 text-fg-3 max-md:hidden`;
const bodyRow = `${gridRow} relative min-h-15 border-b py-2 hover:bg-hover max-md:gap-x-3 max-md:gap-y-1.5 max-md:py-3 max-md:ps-4 max-md:pe-1`;
const lastCell = "text-xs text-fg-3 tabular-nums @max-[900px]/sources:hidden max-md:hidden";

/** The sources of a workspace, each with its last import. */
export function SourcesList({ slug, name }: { slug: string; name: string }) {
  const { t } = useTranslation("connections");
  const { data, error, refetch } = useQuery(connectionsQuery(slug));
  const connectors = useQuery(connectorsQuery).data;
  const { menuOf, dialog } = useSourceMenu(slug);
  if (error)
    return (
      <SourceBody>
        <FailedSources error={error} retry={() => void refetch()} />
      </SourceBody>
    );
  if (data === undefined) return <LoadingSources />;
  if (data.length === 0) return <ConnectorGrid slug={slug} isOffline={false} isFirst />;
  return (
    <div className="flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2">
      <p className="px-6 py-4 text-fg-2 max-md:border-b max-md:border-subtle max-md:px-4">
        {t("purpose")}
      </p>
      <div role="table" aria-label={t("list", { name })}>
        <div role="rowgroup">
          <div className={headRow} role="row">
            <span role="columnheader" className="col-span-2">
              {t("column.name")}
            </span>
            <span role="columnheader">{t("column.state")}</span>
            <span role="columnheader">{t("column.documents")}</span>
            <span role="columnheader" className={lastCell}>
              {t("column.last")}
            </span>
            <span role="columnheader">
              <span className="sr-only">{t("column.actions")}</span>
            </span>
          </div>
        </div>
        <div role="rowgroup">
          {data.map((connection) => (
            <div key={connection.id} className={bodyRow} role="row">
              <SourceCell
                slug={slug}
                connection={connection}
                connector={connectors?.find(({ id }) => id === connection.connector)}
              />
              <div className="min-w-0 max-md:col-span-2 max-md:col-start-2 max-md:pe-3" role="cell">
                <RunState run={connection.run} />
              </div>
              <div
                className="min-w-0 text-xs text-fg-2 tabular-nums max-md:col-span-2 max-md:col-start-2"
                role="cell"
              >
                <DocumentCount slug={slug} connection={connection} />
              </div>
              <span className={lastCell} role="cell">
                {connection.run
                  ? formatAgo(connection.run.endedAt ?? connection.run.createdAt)
                  : t("never")}
              </span>
              <div
                className="flex justify-end max-md:col-start-3 max-md:row-start-1 max-md:self-start"
                role="cell"
              >
                <Menu
                  trigger={
                    <IconButton
                      className="max-md:size-10"
                      label={t("menuOf", { name: connection.name })}
                    >
                      <Ellipsis />
                    </IconButton>
                  }
                  items={menuOf(connection)}
                />
              </div>
            </div>
          ))}
        </div>
      </div>
      {dialog}
    </div>
  );
}

function SourceCell({
  slug,
  connection: { id, name, connector: connectorId, settings },
  connector,
}: {
  slug: string;
  connection: ConnectionWire;
  connector: ConnectorWire | undefined;
}) {
  const address = addressOfSource(connector, settings);
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-center" role="cell">
      <SourceIcon id={connectorId} />
      <div className="min-w-0">
        <SourceLink
          slug={slug}
          rest={id}
          className="block max-w-full truncate rounded-[3px] font-medium hover:underline hover:underline-offset-[3px] max-md:py-0.5"
        >
          <bdi>{name}</bdi>
        </SourceLink>
        <span className="block truncate text-xs text-fg-3">
          <bdi>{joinFacts([connector?.label ?? connectorId, address])}</bdi>
        </span>
      </div>
    </div>
  );
}

function DocumentCount({ slug, connection }: { slug: string; connection: ConnectionWire }) {
  const { t } = useTranslation("connections");
  const { documents, run } = connection;
  return (
    <>
      {t("documents", { count: documents })}
      {documents === 0 && run !== null && !isOpen(run) && run.state !== "failed" && (
        <span className="block text-fg-3">
          <NoDocuments slug={slug} connection={connection} />
        </span>
      )}
    </>
  );
}

/** Why a source whose import has ended has no documents. */
export function NoDocuments({
  slug,
  connection: { id, run },
}: {
  slug: string;
  connection: ConnectionWire;
}) {
  const { t } = useTranslation("connections");
  const counts = run !== null && run.found > 0 && run.fault === null;
  const { data } = useQuery({ ...mainReasonQuery(slug, id), enabled: counts });
  const reason = useFaultText(run?.fault ?? data?.fault ?? null, "");
  if (run === null) return null;
  if (run.fault !== null) return reason;
  if (run.found === 0)
    return t(run.state === "cancelled" ? "noDocumentsCancelled" : "noDocumentsNone");
  if (data)
    return t("noDocumentsOf", {
      text: formatNumber(data.count),
      found: formatNumber(run.found),
      reason,
    });
  if (data === undefined) return null;
  return t(run.state === "cancelled" ? "noDocumentsCancelled" : "noDocumentsDeleted");
}
