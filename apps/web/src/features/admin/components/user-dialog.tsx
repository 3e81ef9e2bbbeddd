import type { UserWire } from "@carrel/contracts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Dices, Eye, EyeOff } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Input,
  Select,
  Textarea,
  inputStyles,
} from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import {
  makePassword,
  nameFault,
  passwordFault,
  usePasswordRule,
} from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { useCreateUser, useUpdateUser } from "../api/users.ts";

/** Field values as typed; an empty string means "none". */
interface UserForm {
  username: string;
  password: string;
  role: UserWire["role"];
  email: string;
  limit: string;
  bio: string;
}

export const formOf = (user: UserWire | null): UserForm => ({
  username: user?.username ?? "",
  password: "",
  role: user?.role ?? "default",
  email: user?.email ?? "",
  limit: user?.dailyMessageLimit?.toString() ?? "",
  bio: user?.bio ?? "",
});

/**
 * Rules of specification 1 section 5 and of the wire (1.5). A message is its translation key. An
 * unchanged name is always valid, because single sign-on allows names that these rules reject.
 */
export const userFormRules = (user: UserWire | null) =>
  z
    .object({
      username: z.string(),
      password: z.string(),
      role: z.enum(["default", "manager", "admin"]),
      email: z.string(),
      limit: z.string(),
      bio: z.string(),
    })
    .superRefine((form, context) => {
      const fault = (path: keyof UserForm, message: string | null): void => {
        if (message !== null) context.addIssue({ code: "custom", path: [path], message });
      };
      const inCommon = (key: string | null): string | null => key && `common:credential.${key}`;
      if (form.username !== user?.username) fault("username", inCommon(nameFault(form.username)));
      if (user === null || form.password !== "")
        fault("password", inCommon(passwordFault(form.password)));
      if (form.email.trim() !== "" && !z.email().safeParse(form.email.trim()).success)
        fault("email", "admin:users.emailFault");
      if (
        form.limit.trim() !== "" &&
        !(/^\d{1,9}$/.test(form.limit.trim()) && Number(form.limit) >= 1)
      )
        fault("limit", "admin:users.limitFault");
      if ([...form.bio].length > 1000) fault("bio", "admin:users.bioFault");
    });

/** The fields that differ from the saved user, in wire format; the others are not sent. */
export function changedFields(user: UserWire | null, form: UserForm) {
  const before = formOf(user);
  const email = form.email.trim();
  const limit = form.limit.trim();
  return {
    ...(form.username !== before.username && { username: form.username }),
    ...(form.password !== "" && { password: form.password }),
    ...((user === null || form.role !== before.role) && { role: form.role }),
    ...(email !== before.email && { email }),
    ...(limit !== before.limit && { dailyMessageLimit: limit === "" ? null : Number(limit) }),
    ...(form.bio !== before.bio && { bio: form.bio }),
  };
}

/**
 * Creates or edits a user. `own`: the user's own row, whose role and password cannot be changed
 * here.
 */
export function UserDialog({
  user,
  own,
  mayMakeAdmins,
  onClose,
}: {
  user: UserWire | null;
  own: boolean;
  mayMakeAdmins: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation(["admin", "common"]);
  const passwordRule = usePasswordRule();
  const id = useId();
  const [visible, setVisible] = useState(false);
  const create = useCreateUser();
  const update = useUpdateUser();
  const [problem, setProblem] = useState<string | null>(null);
  const {
    control,
    register,
    handleSubmit,
    setError,
    setValue,
    formState: { errors },
  } = useForm<UserForm>({
    mode: "onTouched",
    resolver: zodResolver(userFormRules(user)),
    defaultValues: formOf(user),
  });
  const form = useWatch({ control }) as UserForm;
  const changes = changedFields(user, form);
  const roles = (["default", "manager", "admin"] as const).filter(
    (role) => role !== "admin" || mayMakeAdmins,
  );
  const saving = create.isPending || update.isPending;
  const submit = handleSubmit((values) => {
    setProblem(null);
    const onSuccess = (): void => {
      toast.success(t(user ? "users.saved" : "users.created", { name: values.username }));
      onClose();
    };
    const onError = ({ message }: Error): void => {
      const field = /^password/i.test(message)
        ? "password"
        : /username/i.test(message)
          ? "username"
          : null;
      if (field) setError(field, { type: "server", message }, { shouldFocus: true });
      else setProblem(t(user ? "users.saveFailed" : "users.createFailed", { message }));
    };
    if (user)
      update.mutate({ ...changedFields(user, values), id: user.id }, { onSuccess, onError });
    else create.mutate(changedFields(null, values), { onSuccess, onError });
  });
  /** Validation messages are translation keys; server messages are already text. */
  const faultOf = (name: keyof UserForm): string | null => {
    const fault = errors[name];
    if (!fault?.message) return null;
    return fault.type === "server" ? fault.message : t(fault.message as "users.limitFault");
  };
  const field = (
    name: keyof UserForm,
    label: ReactNode,
    help: ReactNode,
    control: (
      attributes: {
        id: string;
        "aria-invalid": true | undefined;
        "aria-describedby": string | undefined;
      },
      bad: boolean,
    ) => ReactNode,
  ) => {
    const fault = faultOf(name);
    const note = fault ?? help;
    return (
      <Field>
        <FieldLabel htmlFor={`${id}-${name}`}>{label}</FieldLabel>
        {control(
          {
            id: `${id}-${name}`,
            "aria-invalid": fault ? true : undefined,
            "aria-describedby": note ? `${id}-${name}-note` : undefined,
          },
          fault !== null,
        )}
        {note &&
          (fault ? (
            <FieldError id={`${id}-${name}-note`} role="alert">
              {fault}
            </FieldError>
          ) : (
            <FieldHelp id={`${id}-${name}-note`}>{help}</FieldHelp>
          ))}
      </Field>
    );
  };
  const optional = (label: string): ReactNode => (
    <>
      {label}
      <span className="text-fg-3">{t("users.optional")}</span>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={user ? t("users.editTitle", { name: user.username }) : t("users.addTitle")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)} noValidate>
        <div className="grid grid-cols-1 gap-4">
          {field("username", t("users.username"), t("users.usernameHelp"), (attributes, bad) => (
            <Input
              {...attributes}
              invalid={bad}
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              {...register("username")}
            />
          ))}
          {own ? (
            <p className="text-fg-3 text-xs">{t("users.ownPassword")}</p>
          ) : (
            field(
              "password",
              user ? t("users.newPassword") : t("users.password"),
              user
                ? t("users.resetHelp", { name: user.username })
                : `${passwordRule} ${t("users.passwordHelp")}`,
              (attributes, bad) => (
                <div className="flex items-center gap-2">
                  <div className={inputStyles({ invalid: bad, box: true, className: "flex-1" })}>
                    <input
                      {...attributes}
                      type={visible ? "text" : "password"}
                      autoComplete="new-password"
                      dir="ltr"
                      {...register("password")}
                    />
                    {form.password !== "" && <CopyButton text={() => form.password} />}
                    <IconButton
                      label={visible ? t("common:hidePassword") : t("common:showPassword")}
                      onClick={() => setVisible(!visible)}
                    >
                      {visible ? <EyeOff /> : <Eye />}
                    </IconButton>
                  </div>
                  <Button
                    className="h-9 flex-none max-md:h-11"
                    onClick={() => {
                      setValue("password", makePassword(), {
                        shouldDirty: true,
                        shouldValidate: errors.password !== undefined,
                      });
                      setVisible(true);
                    }}
                  >
                    <Dices className="size-3.5 stroke-2" aria-hidden="true" />
                    {t("users.generate")}
                  </Button>
                </div>
              ),
            )
          )}
          {field(
            "role",
            t("users.roleLabel"),
            own ? t("users.ownRole") : t(`users.roleHelp.${form.role}`),
            (attributes, bad) => (
              <Select
                {...attributes}
                invalid={bad}
                disabled={own}
                value={form.role}
                onChange={(event) =>
                  setValue("role", event.target.value as UserForm["role"], { shouldDirty: true })
                }
              >
                {roles.map((role) => (
                  <option key={role} value={role}>
                    {t(`users.role.${role}`)}
                  </option>
                ))}
              </Select>
            ),
          )}
          <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
            {field("email", optional(t("users.email")), t("users.emailHelp"), (attributes, bad) => (
              <Input
                {...attributes}
                invalid={bad}
                type="email"
                autoComplete="off"
                dir="ltr"
                {...register("email")}
              />
            ))}
            {form.role !== "admin" &&
              field(
                "limit",
                optional(t("users.limit")),
                t("users.limitHelp"),
                (attributes, bad) => (
                  <Input
                    {...attributes}
                    invalid={bad}
                    inputMode="numeric"
                    autoComplete="off"
                    {...register("limit")}
                  />
                ),
              )}
          </div>
          {field("bio", optional(t("users.bio")), null, (attributes, bad) => (
            <Textarea {...attributes} invalid={bad} className="h-[76px]" {...register("bio")} />
          ))}
        </div>
        {problem && (
          <Notice kind="bad">
            <p>{problem}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={saving || Object.keys(changes).length === 0}
          >
            {saving ? t("saving") : user ? t("users.save") : t("users.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
