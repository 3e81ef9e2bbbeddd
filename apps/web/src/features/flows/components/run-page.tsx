import type { FlowRunBlock, FlowRunQuestion, FlowRunWire } from "@carrel/contracts";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Disclosure, FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { useRights } from "../../../lib/current-user.ts";
import { translateFault } from "../../../lib/fault.ts";
import { formatAgo, formatDuration, formatSeconds, formatTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  hasEnded,
  resultQuery,
  runQuery,
  useAnswerRun,
  useCancelRun,
  useLiveRun,
  useRerun,
} from "../api/runs.ts";
import { isBlockType } from "../state/blocks.ts";
import { depthOfPath, inOrder, roundOf } from "../state/run-blocks.ts";
import { RunResult } from "./run-result.tsx";
import { RunState } from "./run-state.tsx";

/** One run: its state, what it asks, and what each block did, live while it runs. */
export function RunPage({ id }: { id: string }) {
  const { t } = useTranslation("flow-runs");
  const { data: run } = useSuspenseQuery(runQuery(id));
  const rights = useRights();
  useLiveRun(id, !hasEnded(run.state));
  const { state, trigger, createdAt, startedAt, endedAt, owner, workspace, version } = run;
  const fault = run.fault === null ? null : (translateFault(run.fault) ?? run.fault.code);
  const inputs = Object.entries(run.inputs);
  return (
    <>
      <header className="grid grid-cols-1 gap-3">
        <Link className={linkStyles} to="/flows">
          {t("allFlows")}
        </Link>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-lg font-semibold tracking-snug wrap-anywhere">{run.name}</h2>
          <span role="status">
            <RunState state={state} />
          </span>
        </div>
        <p className="flex flex-wrap gap-x-3 text-xs text-fg-3 tabular-nums">
          <span>{t(`trigger.${trigger}`)}</span>
          <span>{t("started", { when: formatAgo(startedAt ?? createdAt) })}</span>
          {startedAt !== null && endedAt !== null && (
            <span>
              {t("took", { time: formatDuration(Date.parse(endedAt) - Date.parse(startedAt)) })}
            </span>
          )}
          <span>{t("version", { version })}</span>
          {owner !== null && <span>{owner.username}</span>}
          {workspace !== null && <span>{workspace.name}</span>}
        </p>
        <Actions run={run} />
      </header>
      {run.question !== null && <Question runId={id} question={run.question} />}
      {fault !== null && (
        <Notice
          kind={state === "denied" ? "warn" : "bad"}
          action={
            state === "denied" &&
            rights.admin &&
            (trigger === "api" || trigger === "webhook") && (
              <Link
                className={buttonStyles({ size: "sm" })}
                to="/settings/agents/builder/{-$flowId}"
                params={{ flowId: run.flowId }}
                search={{ panel: "triggers" }}
              >
                {t("allowInAdvance")}
              </Link>
            )
          }
        >
          <p>{fault}</p>
        </Notice>
      )}
      {run.output !== null && run.output !== "" && (
        <FormSection title={t("output")}>
          <p
            className="max-h-96 overflow-auto rounded-md border border-line bg-surface px-3 py-2 wrap-anywhere whitespace-pre-wrap"
            tabIndex={0}
            role="region"
            aria-label={t("output")}
          >
            {run.output}
          </p>
          <Sources sources={run.sources} />
        </FormSection>
      )}
      {inputs.length > 0 && (
        <FormSection title={t("inputs")}>
          <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,3fr)] gap-x-4 gap-y-1">
            {inputs.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-fg-3 wrap-anywhere">{name}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">{value}</dd>
              </div>
            ))}
          </dl>
        </FormSection>
      )}
      <FormSection title={t("blocks")}>
        <ol className="grid grid-cols-1 gap-2" aria-label={t("blocks")}>
          {inOrder(run.blocks).map((block) => (
            <li
              key={block.path}
              style={{ marginInlineStart: `${Math.min(depthOfPath(block.path), 4) * 16}px` }}
            >
              <BlockResult runId={run.id} block={block} />
            </li>
          ))}
        </ol>
        {run.blocks.length < run.blockCount && (
          <p className="text-xs text-fg-3">
            {t("firstBlocks", { shown: run.blocks.length, count: run.blockCount })}
          </p>
        )}
      </FormSection>
    </>
  );
}

/** What the output cites as [1], [2]. */
function Sources({ sources }: Pick<FlowRunWire, "sources">) {
  const { t } = useTranslation("flow-runs");
  if (sources.length === 0) return null;
  return (
    <ol className="grid grid-cols-1 gap-1 text-xs text-fg-2" aria-label={t("sources")}>
      {sources.map(({ number, title, page, url }) => (
        <li key={number} className="flex min-w-0 gap-1.5">
          <span className="flex-none text-fg-3 tabular-nums">[{number}]</span>
          <span className="min-w-0 wrap-anywhere" dir="auto">
            {url !== null && /^https?:/.test(url) ? (
              <a className={linkStyles} href={url} target="_blank" rel="noreferrer noopener">
                {title}
              </a>
            ) : (
              title
            )}
            {page !== null && <span className="text-fg-3"> {t("page", { page })}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Actions({ run }: { run: FlowRunWire }) {
  const { t } = useTranslation("flow-runs");
  const navigate = useNavigate();
  const cancel = useCancelRun(run.id);
  const rerun = useRerun(run.id);
  const again = (from: "start" | "end"): void =>
    rerun.mutate(from, {
      onSuccess: (id) => void navigate({ to: "/flows", search: { run: id } }),
    });
  return (
    <div className="flex flex-wrap gap-2">
      {hasEnded(run.state) ? (
        <>
          <Button aria-busy={rerun.isPending} onClick={() => again("start")}>
            {t("again")}
          </Button>
          {/* Before anything is done, that would be the same as from the start. */}
          {run.canContinue && run.blocks.some((block) => block.state === "done") && (
            <Button aria-busy={rerun.isPending} onClick={() => again("end")}>
              {t("againFromEnd")}
            </Button>
          )}
        </>
      ) : (
        <Button
          aria-busy={cancel.isPending}
          onClick={() =>
            cancel.mutate(undefined, { onSuccess: () => toast.success(t("cancelled")) })
          }
        >
          {t("cancelRun")}
        </Button>
      )}
    </div>
  );
}

function Question({ runId, question }: { runId: string; question: FlowRunQuestion }) {
  const { t } = useTranslation("flow-runs");
  const answer = useAnswerRun(runId);
  const give = (decision: "once" | "run" | "denied"): void => {
    if (!answer.isPending) answer.mutate({ path: question.path, decision });
  };
  return (
    <section
      className="grid grid-cols-1 gap-3 rounded-md border border-accent-line bg-accent-subtle p-4"
      aria-label={t("question")}
    >
      <p className="font-medium wrap-anywhere whitespace-pre-wrap">{question.question}</p>
      {question.details !== "" && (
        <pre
          className="max-h-60 overflow-auto rounded-sm bg-surface px-3 py-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap"
          tabIndex={0}
          role="region"
          aria-label={t("details")}
          dir="auto"
        >
          {question.details}
        </pre>
      )}
      <div className="flex flex-wrap gap-2 max-md:[&>*]:flex-1">
        <Button variant="primary" aria-busy={answer.isPending} onClick={() => give("once")}>
          {t("approve")}
        </Button>
        {question.kind === "request" && (
          <Button aria-busy={answer.isPending} onClick={() => give("run")}>
            {t("approveForRun")}
          </Button>
        )}
        <Button aria-busy={answer.isPending} onClick={() => give("denied")}>
          {t("deny")}
        </Button>
      </div>
      <p className="text-xs text-fg-3">
        {t("expires", { time: formatTime(Date.parse(question.expiresAt)) })}
      </p>
    </section>
  );
}

const tones: Record<FlowRunBlock["state"], string> = {
  running: "text-info",
  waiting: "text-accent",
  done: "text-success",
  failed: "text-danger",
  denied: "text-warning",
  unknown: "text-warning",
  stopped: "text-fg-3",
};

function BlockResult({ runId, block }: { runId: string; block: FlowRunBlock }) {
  const { t } = useTranslation(["flow-runs", "flows"]);
  const { path, type, title, state, milliseconds } = block;
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const name = title ?? (isBlockType(type) ? t(`flows:block.type.${type}.name`) : type);
  const round = roundOf(path);
  const shown = isOpen ?? (state === "failed" || state === "unknown");
  return (
    <Disclosure
      label={
        <>
          <span className="min-w-0 flex-1 truncate text-start">
            {round !== null && <span className="text-fg-3">{t("round", { round })} </span>}
            {name}
          </span>
          <span
            className={`flex-none text-xs font-normal whitespace-nowrap tabular-nums ${tones[state]}`}
            data-run-state={state}
          >
            {t(`blockState.${state}`)}
            {milliseconds !== null && ` · ${formatSeconds(milliseconds / 1_000)}`}
          </span>
        </>
      }
      open={shown}
      onToggle={() => setOpen(!shown)}
    >
      <WholeResult runId={runId} block={block} name={name} />
    </Disclosure>
  );
}

/** The start of a block's result, and all of it on request. */
function WholeResult({ runId, block, name }: { runId: string; block: FlowRunBlock; name: string }) {
  const { t } = useTranslation("flow-runs");
  const [isWhole, setWhole] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...resultQuery(runId, block.path),
    enabled: isWhole && block.isCut,
  });
  return (
    <div className="grid grid-cols-1 gap-2">
      <RunResult run={data === undefined ? block : { ...block, result: data }} name={name} />
      {block.isCut && data === undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            aria-busy={isFetching}
            onClick={() => (isWhole ? void refetch() : setWhole(true))}
          >
            {t("showAll")}
          </Button>
          {error !== null && (
            <span className="text-danger" role="alert">
              {t("showAllFailed", { message: error.message })}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
