import { flowRunStates, type FlowRunSummary } from "@carrel/contracts";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { formatAgo, formatDuration } from "../../../lib/format.ts";
import { sharedFlowsQuery, type SharedFlow } from "../../../lib/shared-flows.ts";
import { runsQuery, useRunChanges, type RunFilter } from "../api/runs.ts";
import { RunPage } from "./run-page.tsx";
import { RunState } from "./run-state.tsx";
import StartDialog from "./start-dialog.tsx";

/** The flows that one can start and their runs, or one of these. */
export default function RunsPage({ run, ...filter }: RunFilter & { run: string | null }) {
  const { t } = useTranslation(["flow-runs", "flows"]);
  useRunChanges();
  return (
    <div className="min-h-0 flex-1 overflow-auto px-6 pt-6 pb-16 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent max-md:px-4 max-md:pt-4">
      <div className="mx-auto grid w-full max-w-[760px] grid-cols-1 gap-8">
        <PageBoundary
          words={{ loading: t("loading"), failed: t("flows:loadFailed"), retry: t("flows:retry") }}
        >
          {run === null ? <Overview filter={filter} /> : <RunPage key={run} id={run} />}
        </PageBoundary>
      </div>
    </div>
  );
}

function Overview({ filter }: { filter: RunFilter }) {
  const { t } = useTranslation("flow-runs");
  const flowId = filter.flow;
  const { data: flows } = useSuspenseQuery({ ...sharedFlowsQuery, staleTime: 0 });
  const navigate = useNavigate();
  const [starting, setStarting] = useState<SharedFlow | null>(null);
  const shown = flowId === null ? flows : flows.filter(({ id }) => id === flowId);
  return (
    <>
      {flowId !== null && (
        <Link className={linkStyles} to="/flows">
          {t("allFlows")}
        </Link>
      )}
      <FormSection title={t("flows")} help={t("help")}>
        {shown.length === 0 ? (
          <p className="rounded-md border border-line p-6 text-fg-2">
            {t(flowId === null ? "none" : "notRunnable")}
          </p>
        ) : (
          <ul className="grid grid-cols-1 border-t border-subtle" aria-label={t("flows")}>
            {shown.map((flow) => (
              <li key={flow.id} className="flex items-center gap-3 border-b border-subtle py-3">
                <div className="min-w-0 flex-1">
                  <p className="font-medium wrap-anywhere">{flow.name}</p>
                  {flow.description !== "" && (
                    <p className="line-clamp-2 text-fg-2 wrap-anywhere">{flow.description}</p>
                  )}
                  {flow.sends && (
                    <Badge className="mt-1" tone="warning">
                      {t("sends")}
                    </Badge>
                  )}
                </div>
                <Button
                  className="flex-none"
                  aria-label={t("runNamed", { name: flow.name })}
                  onClick={() => setStarting(flow)}
                >
                  <Play className="size-3.5 stroke-2" aria-hidden="true" />
                  {t("run")}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </FormSection>
      <Runs filter={filter} flows={flows} />
      {starting && (
        <StartDialog
          flow={starting}
          onClose={() => setStarting(null)}
          onStarted={(id) => void navigate({ to: "/flows", search: { run: id } })}
        />
      )}
    </>
  );
}

function Runs({ filter, flows }: { filter: RunFilter; flows: readonly SharedFlow[] }) {
  const { t } = useTranslation(["flow-runs", "flows"]);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    runsQuery(filter),
  );
  const isFiltered = filter.flow !== null || filter.state !== null;
  const runs = data?.pages.flatMap((page) => page.runs);
  return (
    <FormSection title={t("runs")}>
      {(isFiltered || runs?.length !== 0) && <Filters filter={filter} flows={flows} />}
      {error && (
        <FailedQuery error={error} retryLabel={t("flows:retry")} retry={() => void refetch()} />
      )}
      {runs?.length === 0 && <p className="text-fg-2">{t(isFiltered ? "noneFound" : "noRuns")}</p>}
      {runs !== undefined && runs.length > 0 && (
        <ul className="grid grid-cols-1 border-t border-subtle" aria-label={t("runs")}>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          className="justify-self-start"
          aria-busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t("more")}
        </Button>
      )}
    </FormSection>
  );
}

function Filters({ filter, flows }: { filter: RunFilter; flows: readonly SharedFlow[] }) {
  const { t } = useTranslation("flow-runs");
  const navigate = useNavigate();
  const show = ({ flow, state }: RunFilter): void =>
    void navigate({
      to: "/flows",
      search: { ...(flow !== null && { flow }), ...(state !== null && { state }) },
      replace: true,
      resetScroll: false,
    });
  const isListed = filter.flow === null || flows.some(({ id }) => id === filter.flow);
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label={t("filterFlow")}
        value={filter.flow ?? ""}
        onChange={(flow) => show({ ...filter, flow: flow || null })}
      >
        <option value="">{t("anyFlow")}</option>
        {!isListed && <option value={filter.flow!}>{t("flowNotListed")}</option>}
        {flows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("filterState")}
        value={filter.state ?? ""}
        onChange={(state) =>
          show({ ...filter, state: flowRunStates.find((each) => each === state) ?? null })
        }
      >
        <option value="">{t("anyState")}</option>
        {flowRunStates.map((state) => (
          <option key={state} value={state}>
            {t(`state.${state}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function RunRow({ run }: { run: FlowRunSummary }) {
  const { t } = useTranslation("flow-runs");
  const { id, name, state, trigger, owner, createdAt, startedAt, endedAt } = run;
  return (
    <li className="relative flex items-center gap-3 border-b border-subtle py-2.5 hover:bg-hover">
      <div className="min-w-0 flex-1 ps-2">
        <Link
          className="block truncate font-medium before:absolute before:inset-0"
          dir="auto"
          to="/flows"
          search={{ run: id }}
        >
          {name}
        </Link>
        <p className="flex flex-wrap gap-x-2 text-xs text-fg-3 tabular-nums">
          <span>{t(`trigger.${trigger}`)}</span>
          <span>{formatAgo(createdAt)}</span>
          {startedAt !== null && endedAt !== null && (
            <span>{formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}</span>
          )}
          {owner !== null && <span>{owner.username}</span>}
        </p>
      </div>
      <RunState state={state} />
    </li>
  );
}
