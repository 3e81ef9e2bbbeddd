import { useMutation } from "@tanstack/react-query";

/**
 * Submission state for forms whose caller performs the action. The form shows the error; the
 * submitted values may be secret and are dropped when the form unmounts.
 */
export function useSubmission<Input>(onSubmit: (input: Input) => Promise<unknown>) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: onSubmit,
    gcTime: 0,
    meta: { errorToast: false },
  });
  return {
    submit: mutate,
    busy: isPending,
    error,
    /** Call this when the user edits the form. */
    clearError: (): void => {
      if (error) reset();
    },
  };
}
