import type { UserWire } from "@carrel/contracts";
import { z } from "zod";
import { nameFault, passwordFault } from "../../../lib/credential-rules.ts";

/** Field values as typed; an empty string means "none". */
export interface UserForm {
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
