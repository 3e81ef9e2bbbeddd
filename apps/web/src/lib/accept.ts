/** Some operations report a refusal in a 200 reply; this throws it like any other error. */
export function accept({ success, error }: { success: boolean; error: string | null }): void {
  if (!success) throw new Error(error ?? "");
}
