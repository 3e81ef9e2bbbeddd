import type { HubPreview } from "@carrel/contracts";
import { ChevronDown, ChevronRight, CornerDownRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatBytes, joinNames } from "../../../lib/format.ts";

/** Text of others, as text: nothing in it is a link, a picture or a command. */
export function ForeignText({ label, children }: { label: string; children: string }) {
  return (
    <figure className="grid min-w-0 grid-cols-1 gap-1.5">
      <figcaption className="font-medium">{label}</figcaption>
      <pre
        className="max-h-72 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs/5 whitespace-pre-wrap text-fg-1 wrap-anywhere"
        dir="auto"
        tabIndex={0}
        aria-label={label}
      >
        {children}
      </pre>
    </figure>
  );
}

function PreviewList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-1.5">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

type PreviewOf<Type extends HubPreview["type"]> = Extract<HubPreview, { type: Type }>;

export function PromptPreview({ preview }: { preview: PreviewOf<"system-prompt"> }) {
  const { t } = useTranslation("hub");
  const { workspace, prompt } = preview;
  return (
    <>
      <ForeignText label={t("prompt.new")}>{prompt}</ForeignText>
      {workspace !== null && (
        <ForeignText
          label={t(workspace.usesDefault ? "prompt.currentDefault" : "prompt.current", {
            name: workspace.name,
          })}
        >
          {workspace.currentPrompt}
        </ForeignText>
      )}
    </>
  );
}

export function CommandPreview({ preview }: { preview: PreviewOf<"slash-command"> }) {
  const { t } = useTranslation("hub");
  const { command, prompt, state, current } = preview;
  return (
    <>
      <p>
        {t("command.types")}{" "}
        <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-xs" dir="ltr">
          {command}
        </code>
      </p>
      {state === "same" && <Notice kind="info">{t("command.same")}</Notice>}
      {state === "taken" && <Notice kind="warn">{t("command.taken", { command })}</Notice>}
      <ForeignText label={t("command.prompt")}>{prompt}</ForeignText>
      {state === "taken" && <ForeignText label={t("command.current")}>{current ?? ""}</ForeignText>}
    </>
  );
}

/** Names of blocks that this version may not know are shown as they are. */
const blockKey = {
  start: "start",
  apiCall: "apiCall",
  llmInstruction: "llmInstruction",
  webScraping: "webScraping",
  "carrel-search": "search",
  "carrel-code": "code",
  "carrel-transform": "transform",
  "carrel-approval": "approval",
  "carrel-flow": "flow",
  "carrel-condition": "condition",
  "carrel-loop": "loop",
} as const;

export function FlowPreview({ preview }: { preview: PreviewOf<"agent-flow"> }) {
  const { t } = useTranslation("hub");
  const { blocks, sendsTo, credentials, missingCredentials, missingFlows, usesModel, state } =
    preview;
  return (
    <>
      <Notice kind="info">{t(`flow.${state}`)}</Notice>
      <PreviewList title={t("flow.blocks", { count: blocks.length })}>
        <ol className="grid grid-cols-1 rounded-md border border-line">
          {blocks.map(({ type, title, depth }, index) => (
            <li
              // Blocks of a preview never move.
              key={index}
              className="flex items-center gap-2 border-subtle px-3 py-2 [li+&]:border-t"
              style={{ paddingInlineStart: `${12 + depth * 20}px` }}
            >
              {depth > 0 && (
                <CornerDownRight
                  className="size-3.5 flex-none text-fg-3 rtl:-scale-x-100"
                  aria-hidden="true"
                />
              )}
              <span>
                {type in blockKey ? t(`block.${blockKey[type as keyof typeof blockKey]}`) : type}
              </span>
              {title !== null && <span className="truncate text-fg-3">{title}</span>}
            </li>
          ))}
        </ol>
      </PreviewList>
      <PreviewList title={t("flow.sends")}>
        {sendsTo.length === 0 ? (
          <p className="text-fg-2">{t("flow.sendsNowhere")}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-1">
            {sendsTo.map(({ method, address }) => (
              <li key={method + address} className="flex min-w-0 items-baseline gap-2">
                <Badge>{method}</Badge>
                <code className="min-w-0 font-mono text-xs wrap-anywhere" dir="ltr">
                  {address}
                </code>
              </li>
            ))}
          </ul>
        )}
        {usesModel && <p className="text-fg-2">{t("flow.usesModel")}</p>}
      </PreviewList>
      {credentials.length > 0 && (
        <PreviewList title={t("flow.credentials")}>
          <p className="flex flex-wrap items-center gap-1.5 text-fg-2">
            {credentials.map((name) => (
              <Badge key={name} tone={missingCredentials.includes(name) ? "warning" : "neutral"}>
                {missingCredentials.includes(name) ? t("flow.credentialMissing", { name }) : name}
              </Badge>
            ))}
            {missingCredentials.length > 0 && <span>{t("flow.credentialsHelp")}</span>}
          </p>
        </PreviewList>
      )}
      {missingFlows.length > 0 && (
        <Notice kind="warn">{t("flow.missing", { count: missingFlows.length })}</Notice>
      )}
    </>
  );
}

export function SkillPreview({
  bundle,
}: {
  bundle: NonNullable<PreviewOf<"agent-skill">["bundle"]>;
}) {
  const { t } = useTranslation("hub");
  const { files, permissions, version } = bundle;
  return (
    <>
      <Notice kind="warn">{t("skill.warning")}</Notice>
      {version !== "" && <p className="text-fg-2">{t("skill.version", { version })}</p>}
      <PreviewList title={t("skill.permissions")}>
        {permissions === null ? (
          <p className="text-fg-2">{t("skill.undeclared")}</p>
        ) : (
          <ul className="grid list-disc grid-cols-1 gap-1 ps-5 text-fg-2">
            <li>
              {permissions.hosts.length === 0
                ? t("skill.noHosts")
                : t("skill.hosts", { hosts: joinNames(permissions.hosts) })}
            </li>
            {permissions.storage && <li>{t("skill.storage")}</li>}
            {permissions.secrets.length > 0 && (
              <li>{t("skill.secrets", { names: joinNames(permissions.secrets) })}</li>
            )}
          </ul>
        )}
      </PreviewList>
      <PreviewList title={t("skill.files", { count: files.length })}>
        <ul className="grid grid-cols-1 rounded-md border border-line">
          {files.map((file) => (
            <SkillFile key={file.path} {...file} />
          ))}
        </ul>
      </PreviewList>
    </>
  );
}

function SkillFile({ path, bytes, text }: { path: string; bytes: number; text: string | null }) {
  const { t } = useTranslation("hub");
  const [open, setOpen] = useState(false);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <li className="grid min-w-0 grid-cols-1 border-subtle [li+&]:border-t">
      <button
        type="button"
        className="flex min-w-0 items-center gap-2 px-3 py-2 text-start hover:bg-hover disabled:hover:bg-transparent max-md:min-h-10"
        aria-expanded={text === null ? undefined : open}
        disabled={text === null}
        onClick={() => setOpen(!open)}
      >
        {text !== null && (
          <Arrow className="size-3.5 flex-none stroke-2 rtl:-scale-x-100" aria-hidden="true" />
        )}
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere" dir="ltr">
          {path}
        </code>
        <span className="flex-none text-xs text-fg-3 tabular-nums">
          {text === null ? t("skill.notShown", { size: formatBytes(bytes) }) : formatBytes(bytes)}
        </span>
      </button>
      {open && text !== null && (
        <pre
          className="max-h-96 overflow-auto border-t border-subtle bg-sunken p-3 font-mono text-xs/5 whitespace-pre-wrap wrap-anywhere"
          dir="ltr"
          tabIndex={0}
          aria-label={path}
        >
          {text}
        </pre>
      )}
    </li>
  );
}
