import { flowRunStates, type FlowRunState } from "@carrel/contracts";
import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Main } from "../components/ui/page.tsx";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { usePageTitle } from "../lib/brand.ts";
import { lazyPart } from "../lib/lazy-part.ts";

const RunsPage = lazyPart(() => import("../features/flows/components/runs-page.tsx"));

/**
 * The flows that one can run; `run` opens one of their runs, `flow` and `state` show only some of
 * them.
 */
export const Route = createFileRoute("/_app/flows")({
  validateSearch: ({
    flow,
    state,
    run,
  }: {
    flow?: unknown;
    state?: unknown;
    run?: unknown;
  }): {
    flow?: string;
    state?: FlowRunState;
    run?: string;
  } => {
    const known = flowRunStates.find((each) => each === state);
    return {
      ...(typeof flow === "string" && { flow }),
      ...(known !== undefined && { state: known }),
      ...(typeof run === "string" && { run }),
    };
  },
  component: function Flows() {
    const { t } = useTranslation("shell");
    const { flow = null, state = null, run = null } = Route.useSearch();
    usePageTitle(t("flows"));
    return (
      <Main>
        <Topbar title={t("flows")} />
        <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
          <RunsPage flow={flow} state={state} run={run} />
        </Suspense>
      </Main>
    );
  },
});
