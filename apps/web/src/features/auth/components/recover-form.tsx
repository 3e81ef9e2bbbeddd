import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useRecoverAccount } from "../api/recovery.ts";

const plain = {
  autoComplete: "off",
  autoCapitalize: "off",
  autoCorrect: "off",
  spellCheck: false,
} as const;

/** User name and two recovery codes; leads on to a new password. */
export function RecoverForm({
  username,
  onRecovered,
  onBack,
}: {
  username: string;
  onRecovered: (username: string) => void;
  onBack: (username: string) => void;
}) {
  const { t } = useTranslation("auth");
  const {
    register,
    handleSubmit,
    getValues,
    formState: { errors },
  } = useForm({ defaultValues: { username, code1: "", code2: "" } });
  const recover = useRecoverAccount();
  const submit = handleSubmit(({ code1, code2, ...values }) => {
    const username = values.username.trim();
    recover.mutate({ username, codes: [code1, code2] }, { onSuccess: () => onRecovered(username) });
  });
  return (
    <>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          height="lg"
          label={t("username")}
          problem={errors.username && t("usernameMissing")}
          {...plain}
          autoComplete="username"
          autoFocus={username === ""}
          {...register("username", { required: true })}
        />
        <TextField
          height="lg"
          label={t("recover.code1")}
          {...plain}
          maxLength={64}
          autoFocus={username !== ""}
          {...register("code1")}
        />
        <TextField
          height="lg"
          label={t("recover.code2")}
          {...plain}
          maxLength={64}
          {...register("code2")}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="w-full"
          disabled={recover.isPending}
        >
          {recover.isPending ? t("recover.busy") : t("recover.submit")}
        </Button>
        <Button
          className="justify-self-center"
          variant="quiet"
          onClick={() => onBack(getValues("username"))}
        >
          {t("backToLogin")}
        </Button>
      </form>
      <p className="text-fg-3 text-center text-balance">{t("recover.help")}</p>
    </>
  );
}
