import { mcpTransports, type McpServerConfig, type McpServerWire } from "@carrel/contracts";
import { secretMask } from "@carrel/contracts/skill-declaration";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldHelp, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { toast } from "../../../lib/toast.ts";
import { useAddMcpServer, useUpdateMcpServer } from "../api/mcp-servers.ts";

const writeLines = (values: Record<string, string>, separator: string): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}${separator}${value}`)
    .join("\n");

type Pairs =
  | { isRead: true; values: Record<string, string> }
  /** The first line that isn't a name and a value. */
  | { isRead: false; line: string };

/** Names and values, one pair per line. */
function readLines(text: string, separator: string): Pairs {
  const values: [name: string, value: string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf(separator);
    if (at < 1) return { isRead: false, line: line.trim() };
    values.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return { isRead: true, values: Object.fromEntries(values) };
}

/**
 * Documentation gives whole lines, such as `npx -y some-server`: what follows the name of a program
 * is its arguments, if none were entered. Paths are taken as they are, as they may contain spaces.
 */
function readCommand(program: string, args: string): { command: string; args: string[] } {
  const command = program.trim();
  const given = args.split("\n").filter((line) => line !== "");
  if (given.length > 0 || /^[./~"']/.test(command)) return { command, args: given };
  const words = (command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
  return { command: words[0] ?? "", args: words.slice(1) };
}

const isAddress = (text: string): boolean =>
  ["http:", "https:"].includes(URL.parse(text.trim())?.protocol ?? "");

/** Whether the server keeps values that it doesn't show. */
const isMasked = (values: Record<string, string> | undefined): boolean =>
  Object.values(values ?? {}).includes(secretMask);

export function Lines({
  label,
  help,
  value,
  onChange,
  rows = 3,
}: {
  label: string;
  help: ReactNode;
  value: string;
  onChange: (value: string) => void;
  rows?: number;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Textarea
        id={id}
        className="font-mono text-xs"
        dir="ltr"
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${id}-help`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldHelp id={`${id}-help`}>{help}</FieldHelp>
    </Field>
  );
}

/** Adds a server, or changes how an existing one is reached. */
export function McpServerDialog({
  server,
  allowsCommands,
  onClose,
}: {
  server: McpServerWire | null;
  allowsCommands: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("mcp");
  const config = server?.config ?? null;
  const command = config?.kind === "command" ? config : null;
  const address = config?.kind === "address" ? config : null;
  const [name, setName] = useState("");
  const [kind, setKind] = useState<McpServerConfig["kind"]>(config?.kind ?? "address");
  const [url, setUrl] = useState(address?.url ?? "");
  const [transport, setTransport] = useState(address?.transport ?? "auto");
  const [headers, setHeaders] = useState(writeLines(address?.headers ?? {}, ": "));
  const [program, setProgram] = useState(command?.command ?? "");
  const [args, setArgs] = useState((command?.args ?? []).join("\n"));
  const [env, setEnv] = useState(writeLines(command?.env ?? {}, "="));
  const [autoStart, setAutoStart] = useState(server?.autoStart ?? true);
  const [isPersonal, setPersonal] = useState(false);
  const [badLine, setBadLine] = useState<string | null>(null);
  // Shown once somebody has tried to save.
  const [wasSent, setSent] = useState(false);
  const { multiUser } = useRights();
  const add = useAddMcpServer();
  const update = useUpdateMcpServer();
  const isPending = add.isPending || update.isPending;
  const error = add.error ?? update.error;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isPending) return;
    setSent(true);
    const isComplete =
      (server !== null || name.trim() !== "") &&
      (kind === "address" ? isAddress(url) : program.trim() !== "");
    if (!isComplete) {
      const form = event.currentTarget;
      // Once its faults are shown.
      requestAnimationFrame(() =>
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      );
      return;
    }
    const pairs = kind === "address" ? readLines(headers, ":") : readLines(env, "=");
    setBadLine(pairs.isRead ? null : pairs.line);
    if (!pairs.isRead) return;
    const { values } = pairs;
    const next: McpServerConfig =
      kind === "address"
        ? { kind, url: url.trim(), transport, headers: values }
        : {
            kind,
            ...readCommand(program, args),
            env: values,
          };
    if (server === null)
      add.mutate(
        { name: name.trim(), config: next, autoStart, isPersonal },
        { onSuccess: onClose },
      );
    else
      update.mutate(
        { id: server.id, config: next, autoStart, enabled: server.enabled },
        {
          onSuccess: () => {
            toast.success(t("saved"));
            onClose();
          },
        },
      );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={server === null ? t("newTitle") : t("editTitle", { name: server.name })}
      description={t("dialogText")}
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        {server === null && (
          <TextField
            label={t("name")}
            help={t("nameHelp")}
            value={name}
            required
            problem={wasSent && name.trim() === "" ? t("fillIn") : null}
            maxLength={64}
            autoFocus
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <div>
          <Segmented
            label={t("kind")}
            options={[
              { value: "address", label: t("kindAddress") },
              { value: "command", label: t("kindCommand") },
            ]}
            value={kind}
            onChange={setKind}
          />
        </div>
        {kind === "address" ? (
          <>
            <TextField
              label={t("url")}
              type="url"
              dir="ltr"
              placeholder="https://"
              value={url}
              required
              problem={
                !wasSent || isAddress(url) ? null : t(url.trim() === "" ? "fillIn" : "badAddress")
              }
              maxLength={2_000}
              autoComplete="off"
              onChange={(event) => setUrl(event.target.value)}
            />
            <SelectField
              label={t("transport")}
              value={transport}
              onChange={(value) => setTransport(value as typeof transport)}
            >
              {mcpTransports.map((each) => (
                <option key={each} value={each}>
                  {t(`transportName.${each}`)}
                </option>
              ))}
            </SelectField>
            <Lines
              label={t("headers")}
              help={[t("headersHelp"), isMasked(address?.headers) && t("masked")]
                .filter(Boolean)
                .join(" ")}
              value={headers}
              onChange={setHeaders}
            />
          </>
        ) : (
          <>
            {!allowsCommands && (
              <Notice kind="warn">
                <p>{t("commandsOff")}</p>
              </Notice>
            )}
            <TextField
              label={t("command")}
              help={t("commandHelp")}
              dir="ltr"
              value={program}
              required
              problem={wasSent && program.trim() === "" ? t("fillIn") : null}
              maxLength={1_000}
              autoComplete="off"
              onChange={(event) => setProgram(event.target.value)}
              onBlur={() => {
                const read = readCommand(program, args);
                setProgram(read.command);
                if (args.trim() === "") setArgs(read.args.join("\n"));
              }}
            />
            <Lines label={t("args")} help={t("argsHelp")} value={args} onChange={setArgs} />
            <Lines
              label={t("env")}
              help={[t("envHelp"), isMasked(command?.env) && t("masked")].filter(Boolean).join(" ")}
              value={env}
              onChange={setEnv}
            />
          </>
        )}
        <Choice label={t("autoStart")} checked={autoStart} onChange={setAutoStart} />
        {server === null && multiUser && (
          <Choice
            label={t("isPersonal")}
            help={t("isPersonalHelp")}
            checked={isPersonal}
            onChange={setPersonal}
          />
        )}
        {(badLine ?? error) && (
          <Notice kind="bad">
            <p>{badLine === null ? error?.message : t("badLine", { line: badLine })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={isPending || (kind === "command" && !allowsCommands)}
          >
            {server === null
              ? t(isPending ? "creating" : "create")
              : t(isPending ? "saving" : "save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Choice({
  label,
  help,
  checked,
  onChange,
}: {
  label: string;
  help?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex items-start gap-2.5">
      <Checkbox checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label}
        {help !== undefined && <span className="block text-xs text-fg-3">{help}</span>}
      </span>
    </label>
  );
}
