import type { FlowStep, FlowStepRun } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Disclosure } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { translateFault } from "../../../lib/fault.ts";
import { joinNames, sentenceSpace } from "../../../lib/format.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useTestFlow } from "../api/flows.ts";
import { isBlockType } from "../state/blocks.ts";
import { findBlock } from "../state/tree.ts";
import { useBlockName } from "../state/use-builder.ts";
import { useScope } from "./builder-context.ts";
import { Panel } from "./panel.tsx";
import { RunResult, StepState } from "./run-result.tsx";
import { useInputs, VariableInputs } from "./variable-inputs.tsx";

/** Runs the flow as it is in the builder, with values for its variables. */
export function TestPanel({
  startAt,
  onStarted,
  onClose,
}: {
  /** A block to run from, at once. */
  startAt: FlowStep | null;
  onStarted: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const nameOf = useBlockName();
  const { data: workspaces } = useQuery(workspacesQuery);
  const test = useTestFlow();
  const [slug, setSlug] = useState("");
  const [approve, setApprove] = useState(true);
  const [from, setFrom] = useState<string | null>(null);
  const { steps } = builder.content;
  const inputs = useInputs(
    steps.flatMap((step) => (step.type === "start" ? step.config.variables : [])),
  );

  const run = (first: FlowStep | null): void => {
    if (test.isPending) return;
    // A later start has the variables of the run before.
    const values = inputs.read() ?? (first ? {} : null);
    if (values === null) return;
    setFrom(first && nameOf(first));
    test.mutate(
      {
        inputs: values,
        steps,
        approve,
        ...(builder.flowId !== null && { id: builder.flowId }),
        ...(slug !== "" && { slug }),
        ...(first && { from: first.id, variables: builder.lastRun?.variables ?? {} }),
      },
      { onSuccess: builder.setLastRun },
    );
  };
  // Once: the effect runs twice in development.
  const started = useRef<FlowStep | null>(null);
  useEffect(() => {
    if (startAt === null || started.current === startAt) return;
    started.current = startAt;
    onStarted();
    run(startAt);
  });
  const { lastRun } = builder;
  return (
    <Panel title={t("run.title")} closeLabel={t("run.close")} onClose={onClose}>
      <div className="grid grid-cols-1 gap-6">
        <form
          className="grid grid-cols-1 gap-4"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            run(null);
          }}
        >
          <p className="text-fg-2">{t("run.help")}</p>
          <VariableInputs inputs={inputs} />
          <SelectField
            label={t("run.workspace")}
            help={t("run.workspaceHelp")}
            value={slug}
            onChange={setSlug}
          >
            <option value="">{t("run.workspaceNone")}</option>
            {workspaces?.map((workspace) => (
              <option key={workspace.slug} value={workspace.slug}>
                {workspace.name}
              </option>
            ))}
          </SelectField>
          <SwitchLine
            label={t("run.approve")}
            help={t("run.approveHelp")}
            on={approve}
            onChange={setApprove}
          />
          <Button
            type="submit"
            variant="primary"
            className="justify-self-start max-md:justify-self-stretch"
            // Not disabled, which would take the focus from it.
            aria-busy={test.isPending}
          >
            {test.isPending ? t("run.running") : t("run.run")}
          </Button>
        </form>
        {test.error && (
          <Notice kind="bad">
            <p>
              <b>{t("run.failed")}</b>
              {sentenceSpace()}
              {test.error.message}
            </p>
          </Notice>
        )}
        {lastRun !== null && (
          <div className="grid grid-cols-1 gap-4" aria-busy={test.isPending}>
            <div role="status">
              <Notice kind={lastRun.ok ? "info" : "warn"}>
                <p>
                  <b>{t(lastRun.ok ? "run.ok" : "run.notOk")}</b>
                  {sentenceSpace()}
                  {lastRun.fault !== null && (translateFault(lastRun.fault) ?? lastRun.fault.code)}
                </p>
                {from !== null && <p>{t("run.fromHere", { name: from })}</p>}
                {lastRun.omitted.length > 0 && (
                  <p>{t("run.omitted", { names: joinNames(lastRun.omitted) })}</p>
                )}
              </Notice>
            </div>
            <Output output={lastRun.output} ok={lastRun.ok} />
            <section className="grid grid-cols-1 gap-2" aria-label={t("run.steps")}>
              <h3 className="font-semibold">{t("run.steps")}</h3>
              <ol className="grid grid-cols-1 gap-2">
                {lastRun.steps.map((step, index) => (
                  <li key={index}>
                    <StepResult run={step} />
                  </li>
                ))}
              </ol>
            </section>
          </div>
        )}
      </div>
    </Panel>
  );
}

function Output({ output, ok }: { output: string | null; ok: boolean }) {
  const { t } = useTranslation("flows");
  if (!ok) return null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={t("run.output")}>
      <h3 className="font-semibold">{t("run.output")}</h3>
      {output ? (
        <p className="max-h-80 overflow-auto rounded-md border border-line bg-surface px-3 py-2 wrap-anywhere whitespace-pre-wrap">
          {output}
        </p>
      ) : (
        <p className="text-fg-3">{t("run.noOutput")}</p>
      )}
    </section>
  );
}

function StepResult({ run }: { run: FlowStepRun }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const nameOf = useBlockName();
  const [isOpen, setOpen] = useState(run.state === "failed");
  const step = run.id === null ? null : findBlock(builder.content.steps, run.id);
  const name = step
    ? nameOf(step)
    : (run.title ?? (isBlockType(run.type) ? t(`block.type.${run.type}.name`) : run.type));
  return (
    <Disclosure
      label={
        <>
          <span className="min-w-0 flex-1 truncate text-start">{name}</span>
          <StepState run={run} />
        </>
      }
      open={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      <RunResult run={run} name={name} />
    </Disclosure>
  );
}
