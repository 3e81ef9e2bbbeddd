import { CircleAlert } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../../lib/error-message.ts";
import { Topbar } from "./topbar.tsx";

/**
 * Shown while there are no workspaces: explains what they are for and creates the first one. People
 * who may not create workspaces are told whom to ask.
 */
export function HomePage({ onCreate }: { onCreate: ((name: string) => Promise<void>) | null }) {
  const { t } = useTranslation("shell");
  return (
    <main className="main" id="main">
      <Topbar title={t("home")} />
      <div className="hero">
        {onCreate ? (
          <FirstWorkspace onCreate={onCreate} />
        ) : (
          <div className="col home">
            <h2>{t("memberTitle")}</h2>
            <p className="lead">{t("memberText")}</p>
            <p className="t3">{t("memberHelp")}</p>
          </div>
        )}
      </div>
    </main>
  );
}

function FirstWorkspace({ onCreate }: { onCreate: (name: string) => Promise<void> }) {
  const { t } = useTranslation("shell");
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!name.trim() || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onCreate(name.trim());
    } catch (error) {
      setProblem(t("workspaceNotCreated", { message: errorMessage(error) }));
      setBusy(false);
    }
  };
  return (
    <div className="col home">
      <h2>{t("emptyTitle")}</h2>
      <p className="lead">{t("emptyText")}</p>
      <form className="home-form" onSubmit={(event) => void submit(event)}>
        <div className="field grow">
          <label htmlFor="first-workspace">{t("emptyName")}</label>
          <input
            id="first-workspace"
            className={problem ? "input bad" : "input"}
            value={name}
            maxLength={255}
            autoFocus
            placeholder={t("newWorkspacePlaceholder")}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? "first-error" : undefined}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(null);
            }}
          />
          {problem && (
            <p className="err" id="first-error" role="alert">
              <CircleAlert className="i sm" aria-hidden="true" />
              {problem}
            </p>
          )}
        </div>
        <button type="submit" className="btn primary lg" disabled={busy || !name.trim()}>
          {busy ? t("creating") : t("emptyAction")}
        </button>
      </form>
      <p className="t3">{t("emptyPrivacy")}</p>
    </div>
  );
}
