import type { AdvanceApproval } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  approvalTool,
  flowTool,
  isSameApproval,
  originOf,
  useApprovalWords,
} from "../lib/approvals.ts";
import { useDebounced } from "../lib/document-search.ts";
import { flowRequestsQuery, type PlannedRequests } from "../lib/shared-flows.ts";
import { Button } from "./ui/button.tsx";
import { Checkbox } from "./ui/choices.tsx";
import { FailedQuery, Notice } from "./ui/notice.tsx";
import { Skeleton } from "./ui/progress.tsx";
import { TextField } from "./ui/text-field.tsx";

/** What may be done without asking, and where. */
export function ApprovalText({
  approval,
  flowId = null,
}: {
  approval: AdvanceApproval;
  /** The flow whose approval blocks are meant. */
  flowId?: string | null;
}) {
  const { t } = useTranslation("approvals");
  const { sayTool, sayTarget } = useApprovalWords();
  const { tool, destination } = approval;
  const isBlock = tool === approvalTool;
  const planned = useQuery({
    ...flowRequestsQuery(flowId ?? "", {}),
    enabled: isBlock && flowId !== null,
  }).data;
  const block = planned?.approvals.find(({ id }) => id === destination);
  return (
    <span className="min-w-0 flex-1 wrap-anywhere">
      {isBlock && block ? t("approvalNamed", { title: block.title }) : sayTool(tool)}{" "}
      {!isBlock &&
        (destination === null ? (
          <span className="text-fg-3">{t("anyInput")}</span>
        ) : (
          <bdi className="text-fg-2">{sayTarget(destination)}</bdi>
        ))}
    </span>
  );
}

interface Line {
  approval: AdvanceApproval;
  label: string;
  note: string;
}

const listNames = (names: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang).format(new Set(names));

/**
 * All that a flow would ask for, to be allowed in advance: its requests by origin, its approval
 * blocks, and what was allowed besides.
 */
export function FlowApprovals({
  flowId,
  inputs,
  approvals,
  onChange,
}: {
  flowId: string;
  /** With which it will run, as far as they are known. */
  inputs: Record<string, string>;
  approvals: readonly AdvanceApproval[];
  onChange: (approvals: AdvanceApproval[]) => void;
}) {
  const { t } = useTranslation("approvals");
  const { sayApproval } = useApprovalWords();
  const { data, error, refetch, isPending } = useQuery(
    flowRequestsQuery(flowId, useDebounced(inputs)),
  );
  if (isPending)
    return (
      <div className="grid gap-3" role="status" aria-busy="true" aria-label={t("loading")}>
        <Skeleton style={{ inlineSize: "70%" }} />
        <Skeleton style={{ inlineSize: "50%" }} />
      </div>
    );
  const planned = data ?? { requests: [], approvals: [] };
  const asked: Line[] = [
    ...Array.from(blocksByOrigin(planned), ([origin, names]) => ({
      approval: { tool: flowTool(flowId), destination: origin },
      label: t("requestsTo", { origin }),
      note: names,
    })),
    ...planned.approvals.flatMap(({ id, title, question }) =>
      id === null
        ? []
        : {
            approval: { tool: approvalTool, destination: id },
            label: t("approvalNamed", { title }),
            note: question,
          },
    ),
  ];
  const others = approvals
    .filter((each) => !asked.some(({ approval }) => isSameApproval(approval, each)))
    .map((approval): Line => {
      const { tool, destination: origin } = approval;
      const isRequest = tool === flowTool(flowId) && origin !== null;
      const label = isRequest ? t("requestsTo", { origin }) : sayApproval(approval);
      return { approval, label, note: t("notFound") };
    });
  const isAllowed = (approval: AdvanceApproval): boolean =>
    approvals.some((each) => isSameApproval(each, approval));
  const change = (approval: AdvanceApproval, isOn: boolean): void => {
    const rest = approvals.filter((each) => !isSameApproval(each, approval));
    onChange(isOn ? [...rest, approval] : rest);
  };
  const lines = [...asked, ...others];
  /** The titles of blocks at which runs will end. */
  const refused = new Set([
    ...planned.requests.flatMap(({ origin, title }) =>
      origin === null || isAllowed({ tool: flowTool(flowId), destination: origin }) ? [] : title,
    ),
    ...planned.approvals.flatMap(({ id, title }) =>
      id === null || isAllowed({ tool: approvalTool, destination: id }) ? [] : title,
    ),
  ]);
  const unknown = planned.requests.filter(({ origin }) => origin === null);
  const unnamed = planned.approvals.filter(({ id }) => id === null);
  return (
    <div className="grid grid-cols-1 gap-3">
      {error && <FailedQuery error={error} retryLabel={t("retry")} retry={() => void refetch()} />}
      {data && lines.length + unknown.length + unnamed.length === 0 && (
        <p className="text-fg-2">{t("nothing")}</p>
      )}
      {lines.length > 0 && (
        <ul
          className="grid grid-cols-1 divide-y divide-line rounded-md border border-line"
          aria-label={t("list")}
        >
          {lines.map(({ approval, label, note }) => (
            <CheckLine
              key={`${approval.tool} ${approval.destination}`}
              label={label}
              note={note}
              isOn={isAllowed(approval)}
              onChange={(isOn) => change(approval, isOn)}
            />
          ))}
        </ul>
      )}
      {refused.size > 0 && (
        <Notice kind="warn">
          <p>{t("notAllowed", { count: refused.size, names: [...refused] })}</p>
        </Notice>
      )}
      {unnamed.map(({ title }, index) => (
        <Notice key={index}>
          <p>
            <b>{title}</b>
          </p>
          <p>{t("noId")}</p>
        </Notice>
      ))}
      {unknown.length > 0 && (
        <p className="text-fg-2 wrap-anywhere">
          {t("unknownAddress", { names: listNames(unknown.map(({ title }) => title)) })}
        </p>
      )}
      {planned.requests.length > 0 && (
        <AddAddress
          onAdd={(destination) => change({ tool: flowTool(flowId), destination }, true)}
        />
      )}
    </div>
  );
}

/** The titles of the blocks that send to each origin that is known. */
function blocksByOrigin({ requests }: PlannedRequests): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const { origin, title } of requests)
    if (origin !== null) found.set(origin, [...(found.get(origin) ?? []), title]);
  return new Map(Array.from(found, ([origin, titles]) => [origin, listNames(titles)]));
}

function CheckLine({
  label,
  note,
  isOn,
  onChange,
}: {
  label: string;
  note: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <li>
      <label className="flex min-h-10 cursor-pointer items-start gap-2 py-2 ps-2.5 pe-3 hover:bg-hover max-md:min-h-11">
        <Checkbox
          className="-my-0.5 -ms-0.5"
          checked={isOn}
          aria-labelledby={id}
          aria-describedby={note === "" ? undefined : `${id}-note`}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span className="grid min-w-0 flex-1 wrap-anywhere">
          <bdi id={id}>{label}</bdi>
          {note !== "" && (
            <bdi id={`${id}-note`} className="text-xs text-fg-3">
              {note}
            </bdi>
          )}
        </span>
      </label>
    </li>
  );
}

/** It may be drawn within a form, so it has none itself. */
function AddAddress({ onAdd }: { onAdd: (origin: string) => void }) {
  const { t } = useTranslation("approvals");
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const add = (): void => {
    const origin = originOf(text);
    setWrong(origin === null);
    if (origin === null) return;
    onAdd(origin);
    setText("");
  };
  return (
    <TextField
      label={t("address")}
      extra={
        <Button size="sm" variant="quiet" onClick={add}>
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("add")}
        </Button>
      }
      dir="ltr"
      inputMode="url"
      value={text}
      maxLength={2_000}
      autoComplete="off"
      spellCheck={false}
      help={t("addressHelp")}
      problem={isWrong ? t("addressInvalid") : null}
      onChange={({ target }) => {
        setText(target.value);
        setWrong(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        add();
      }}
    />
  );
}
