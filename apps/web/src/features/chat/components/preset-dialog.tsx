import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../../lib/error-message.ts";
import { CircleAlert, Pencil, Plus, Trash2 } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { toast } from "../../../lib/toast.ts";
import {
  presetsQuery,
  removePreset,
  savePreset,
  type Preset,
  type PresetFields,
} from "../api/presets.ts";

function PresetForm({
  preset,
  initial,
  onDone,
}: {
  preset: Preset | null;
  initial: PresetFields;
  onDone: () => void;
}) {
  const { t } = useTranslation("chat");
  const id = useId();
  const [fields, setFields] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isReady = fields.command.replace(/^\/+/, "").trim() !== "" && fields.prompt.trim() !== "";
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    try {
      await savePreset(preset?.id ?? null, {
        ...fields,
        command: `/${fields.command.trim().replace(/^\/+/, "")}`,
      });
      toast.success(t("presetSaved"));
      onDone();
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const set = (part: Partial<PresetFields>): void => {
    setFields({ ...fields, ...part });
    setProblem(null);
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void save(event)}>
      <TextField
        label={t("presetCommand")}
        help={t("presetCommandHelp")}
        value={fields.command}
        maxLength={60}
        autoFocus
        dir="ltr"
        spellCheck={false}
        onChange={(event) => set({ command: event.target.value })}
      />
      <div className="field">
        <label htmlFor={id}>{t("presetPrompt")}</label>
        <textarea
          id={id}
          className="input tall"
          dir="auto"
          rows={5}
          maxLength={20_000}
          value={fields.prompt}
          onChange={(event) => set({ prompt: event.target.value })}
        />
      </div>
      <TextField
        label={t("presetDescription")}
        value={fields.description}
        maxLength={2_000}
        onChange={(event) => set({ description: event.target.value })}
      />
      {problem && (
        <p className="err" role="alert">
          <CircleAlert className="i sm" aria-hidden="true" />
          {problem}
        </p>
      )}
      <footer>
        <button type="button" className="btn quiet" onClick={onDone}>
          {t("back")}
        </button>
        <button type="submit" className="btn primary" disabled={!isReady || busy}>
          {t("savePreset")}
        </button>
      </footer>
    </form>
  );
}

/** The user's own slash commands, each of which expands to a text. */
export default function PresetDialog({
  initial,
  onClose,
}: {
  /** What was typed that is not a command yet. */
  initial: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const presets = useQuery(presetsQuery).data ?? [];
  const [editing, setEditing] = useState<{ preset: Preset | null; fields: PresetFields } | null>(
    () =>
      initial ? { preset: null, fields: { command: initial, prompt: "", description: "" } } : null,
  );
  const [removing, setRemoving] = useState<number | null>(null);
  const remove = async (id: number): Promise<void> => {
    try {
      await removePreset(id);
      toast.success(t("presetDeleted"));
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setRemoving(null);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={editing ? (editing.preset ? t("editPreset") : t("newPreset")) : t("presets")}
      description={editing ? undefined : t("presetsHelp")}
    >
      {editing ? (
        <PresetForm
          preset={editing.preset}
          initial={editing.fields}
          onDone={() => setEditing(null)}
        />
      ) : (
        <>
          {presets.length === 0 ? (
            <p className="t3">{t("noPresets")}</p>
          ) : (
            <ul className="presets">
              {presets.map((preset) => (
                <li key={preset.id}>
                  <div className="grow">
                    <b dir="ltr">{preset.command}</b>
                    <p className="cut t3">{preset.description || preset.prompt}</p>
                  </div>
                  {removing === preset.id ? (
                    <>
                      <button
                        type="button"
                        className="btn quiet sm"
                        onClick={() => setRemoving(null)}
                      >
                        {t("keep")}
                      </button>
                      <button
                        type="button"
                        className="btn danger sm"
                        autoFocus
                        onClick={() => void remove(preset.id)}
                      >
                        {t("deletePreset")}
                      </button>
                    </>
                  ) : (
                    <>
                      <IconButton
                        label={t("editNamed", { name: preset.command })}
                        onClick={() => setEditing({ preset, fields: preset })}
                      >
                        <Pencil className="i" />
                      </IconButton>
                      <IconButton
                        label={t("deleteNamed", { name: preset.command })}
                        onClick={() => setRemoving(preset.id)}
                      >
                        <Trash2 className="i" />
                      </IconButton>
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
          <footer>
            <button type="button" className="btn quiet" onClick={onClose}>
              {t("close")}
            </button>
            <button
              type="button"
              className="btn primary"
              onClick={() =>
                setEditing({ preset: null, fields: { command: "", prompt: "", description: "" } })
              }
            >
              <Plus className="i sm" aria-hidden="true" />
              {t("newPreset")}
            </button>
          </footer>
        </>
      )}
    </Dialog>
  );
}
