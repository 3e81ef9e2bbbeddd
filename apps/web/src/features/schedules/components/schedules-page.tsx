import type { ListedScheduleWire } from "@carrel/contracts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, CalendarClock, Plus } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Select } from "../../../components/ui/field.tsx";
import { PageBody } from "../../../components/ui/form-section.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { newWhen, timingOf } from "../../../lib/schedule-timing.ts";
import { sayTiming } from "../../../lib/schedule-words.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { ownersQuery, schedulesQuery, type ListReply } from "../api/schedules.ts";
import { examples, exampleWhen } from "../state/examples.ts";
import { ScheduleList } from "./schedule-list.tsx";
import { useScheduleActions } from "./use-schedule-actions.tsx";

type StateFilter = "all" | "active" | "paused";

/** A list this short can be read without filters. */
const shortList = 4;

/** The person's schedules; for admins also everyone's. */
export function SchedulesPage({
  of,
  workspace = null,
  head,
}: {
  of: "own" | "all";
  /** Slug; only those in it are shown at first. */
  workspace?: string | null;
  /** Drawn above the list. */
  head?: (list: ListReply) => ReactNode;
}) {
  const { t } = useTranslation("schedules");
  const { admin, multiUser } = useRights();
  const query = useInfiniteQuery(schedulesQuery(of));
  const workspaces = useQuery(workspacesQuery).data ?? [];
  const owners = useQuery({ ...ownersQuery, enabled: of === "all" && multiUser }).data;
  const [term, setTerm] = useState("");
  const [state, setState] = useState<StateFilter>("all");
  const [slug, setSlug] = useState(workspace ?? "");
  const isFiltered = slug !== "" || state !== "all" || term !== "";
  const { fetchNextPage } = query;
  // Names of workspaces and people are only known here.
  const needsAll = isFiltered && query.hasNextPage && !query.isFetching && !query.isError;
  useEffect(() => {
    if (needsAll) void fetchNextPage();
  }, [needsAll, fetchNextPage]);
  const { menuOf, setActive, dialogs } = useScheduleActions({});
  const workspaceOf = ({ workspaceSlug }: ListedScheduleWire): string =>
    workspaces.find((each) => each.slug === workspaceSlug)?.name ??
    workspaceSlug ??
    t("workspaceGone");
  const ownerOf = ({ ownerId }: ListedScheduleWire): string =>
    (ownerId !== null && owners?.get(ownerId)) || "";
  if (query.error && query.data === undefined)
    return (
      <PageBody>
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      </PageBody>
    );
  if (query.isPending)
    return (
      <PageBody
        className="grid content-start gap-4"
        role="status"
        aria-busy="true"
        aria-label={t("loading")}
      >
        {[52, 38, 45].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </PageBody>
    );
  const { pages } = query.data;
  const latest = pages.at(-1)!;
  const { enabled, limit, used, total } = latest;
  const schedules = pages.flatMap((page) => page.schedules);
  const isFull = of === "own" && used >= limit;
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = schedules.filter((schedule) => {
    const text = `${schedule.name} ${workspaceOf(schedule)} ${ownerOf(schedule)}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (state === "all" || schedule.active === (state === "active")) &&
      (slug === "" || schedule.workspaceSlug === slug)
    );
  });
  const inUse = [...new Set(schedules.flatMap(({ workspaceSlug }) => workspaceSlug ?? []))];
  const hasFilters = total >= shortList || isFiltered;
  const clear = (): void => {
    setTerm("");
    setState("all");
    setSlug("");
  };
  return (
    <PageBody>
      <div className="mx-auto grid max-w-[1040px] grid-cols-1 gap-4">
        {head?.(latest)}
        {!enabled && of === "own" && (
          <Notice
            kind="warn"
            action={
              admin && (
                <Link className={linkStyles} to="/settings/scheduled-work">
                  {t("offLink")}
                </Link>
              )
            }
          >
            <p>
              <b>{t("offTitle")}</b>
            </p>
            <p>{t(admin ? "offAdmin" : "offText")}</p>
          </Notice>
        )}
        {schedules.length === 0 ? (
          of === "own" ? (
            <Welcome workspace={slug || (workspaces[0]?.slug ?? "")} canAdd={enabled} />
          ) : (
            <div className="grid justify-items-start gap-1">
              <h2 className="font-semibold">{t("admin.emptyTitle")}</h2>
              <p className="text-fg-2">{t("admin.emptyText")}</p>
            </div>
          )
        ) : (
          <>
            {isFull && <Notice>{t("full", { limit })}</Notice>}
            <div className="flex flex-wrap items-center gap-2 max-md:gap-y-3">
              {hasFilters && (
                <>
                  <SearchField
                    className="h-8 w-56 max-md:h-10 max-md:w-full"
                    label={t("search")}
                    value={term}
                    onChange={(event) => setTerm(event.target.value)}
                  />
                  <Segmented
                    label={t("filterState")}
                    value={state}
                    options={(["all", "active", "paused"] as const).map((value) => ({
                      value,
                      label: t(`filter.${value}`),
                    }))}
                    onChange={setState}
                  />
                  {(inUse.length > 1 || slug !== "") && (
                    <Select
                      className="h-8 w-auto max-w-56 max-md:h-10"
                      aria-label={t("filterWorkspace")}
                      value={slug}
                      onChange={(event) => setSlug(event.target.value)}
                    >
                      <option value="">{t("allWorkspaces")}</option>
                      {[...new Set([...inUse, ...(slug === "" ? [] : [slug])])].map((each) => (
                        <option key={each} value={each}>
                          {workspaces.find((one) => one.slug === each)?.name ?? each}
                        </option>
                      ))}
                    </Select>
                  )}
                </>
              )}
              <span className="ms-auto text-xs text-fg-3 tabular-nums" role="status">
                {of === "own" ? t("countOf", { used, limit }) : t("count", { count: total })}
              </span>
            </div>
            {shown.length === 0 && !query.hasNextPage ? (
              <div className="grid justify-items-start gap-2 py-6">
                <h2 className="font-semibold">{t("noMatches")}</h2>
                <p className="text-fg-2">{t("noMatchesText")}</p>
                <Button onClick={clear}>{t("clearFilters")}</Button>
              </div>
            ) : (
              <ScheduleList
                schedules={shown}
                workspaceOf={workspaceOf}
                ownerOf={of === "all" && multiUser ? ownerOf : null}
                menuOf={menuOf}
                onActive={setActive}
              />
            )}
            {query.hasNextPage && (
              <div>
                <Button disabled={query.isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t("more")}
                </Button>
              </div>
            )}
          </>
        )}
      </div>
      {dialogs}
    </PageBody>
  );
}

/** Opens the form of a new schedule. */
export function NewScheduleLink({ workspace }: { workspace: string | null }) {
  const { t } = useTranslation("schedules");
  return (
    <Link
      className={buttonStyles({ variant: "primary" })}
      to="/schedules/{-$scheduleId}"
      params={{ scheduleId: "new" }}
      search={workspace === null ? {} : { workspace }}
    >
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("new")}
    </Link>
  );
}

/** What schedules are for, with examples that fill in the form. */
function Welcome({ workspace, canAdd }: { workspace: string; canAdd: boolean }) {
  const { t } = useTranslation("schedules");
  const name = useQuery(workspacesQuery).data?.find(({ slug }) => slug === workspace)?.name;
  return (
    <div className="mx-auto grid w-full max-w-[640px] grid-cols-1 gap-6 py-8 max-md:py-2">
      <div className="grid justify-items-start gap-2">
        <span className="mb-1 grid size-10 place-items-center rounded-md bg-accent-subtle text-accent">
          <CalendarClock aria-hidden="true" />
        </span>
        <h2 className="text-xl font-semibold tracking-tight text-balance">{t("emptyTitle")}</h2>
        <p className="text-pretty text-fg-2">{t("emptyText")}</p>
      </div>
      {canAdd && (
        <section className="grid grid-cols-1 gap-2" aria-labelledby="schedule-examples">
          <h3 id="schedule-examples" className="text-xs font-medium text-fg-3">
            {t("examplesTitle")}
          </h3>
          <ul className="grid grid-cols-1 gap-2">
            {examples.map((example) => {
              const timing = timingOf({ ...newWhen("UTC"), ...when(example) });
              return (
                <li key={example}>
                  <Link
                    className="group flex items-center gap-3 rounded-md border border-line bg-surface px-4 py-3 hover:border-strong hover:bg-hover"
                    to="/schedules/{-$scheduleId}"
                    params={{ scheduleId: "new" }}
                    search={{ example, ...(workspace !== "" && { workspace }) }}
                  >
                    <span className="min-w-0 flex-1">
                      <span className="block text-xs text-fg-3">
                        {timing && sayTiming(t, timing)}
                      </span>
                      <span className="block font-medium wrap-anywhere">
                        {t(`examples.${example}.text`, { workspace: name ?? "" })}
                      </span>
                    </span>
                    <ArrowRight
                      className={cn(
                        "size-4 flex-none text-fg-3 group-hover:text-fg-1 rtl:-scale-x-100",
                      )}
                      aria-hidden="true"
                    />
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

const when = (example: keyof typeof exampleWhen) => {
  const { days, ...rest } = { days: [1], ...exampleWhen[example] };
  return { ...rest, days: [...days] };
};
