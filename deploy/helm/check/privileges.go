package main

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// exceeds says which URL of PostgreSQL a container has that isn't its own, and which it lacks: the
// gateway has none, each service that of its own user, and only migrations and backups the owner's.
// Passwords and keys among the settings are for workspace only, which keeps them. It also says which
// container can't take part in a rotation of the instance secret.
func exceeds(pod *corev1.PodTemplateSpec) (faults []string) {
	component := pod.Labels["app.kubernetes.io/component"]
	for i, container := range containersOf(pod) {
		main := i >= len(pod.Spec.InitContainers)
		wanted := map[string]string{}
		switch {
		case component == "backup" && main:
			wanted["DATABASE_URL"] = "DATABASE_URL"
		case component == "migration" && main:
			wanted["DATABASE_URL"], wanted["DATABASE_OWNER_URL"] = keyOf(container.Name), "DATABASE_URL"
		case isService(component) && container.Name == "migrate":
			wanted["DATABASE_URL"], wanted["DATABASE_OWNER_URL"] = keyOf(component), "DATABASE_URL"
		case isService(component) && container.Name == component:
			wanted["DATABASE_URL"] = keyOf(component)
		}
		for _, variable := range container.Env {
			if strings.HasPrefix(variable.Name, "CARREL_SETTING_") && variable.ValueFrom != nil &&
				(component != "workspace" || container.Name != "workspace") {
				faults = append(faults, variable.Name+" in "+container.Name)
			}
			if !strings.HasPrefix(variable.Name, "DATABASE_") || variable.ValueFrom == nil {
				continue
			}
			// A Secret may call the owner's URL otherwise, as that of a database operator does.
			key := variable.ValueFrom.SecretKeyRef.Key
			if key == "uri" {
				key = "DATABASE_URL"
			}
			if key != wanted[variable.Name] {
				faults = append(faults, "wrong "+variable.Name+" of "+container.Name+": "+key)
			}
			delete(wanted, variable.Name)
		}
		for name := range wanted {
			faults = append(faults, "no "+name+" of "+container.Name)
		}
		// All get the second secret while the first is rotated, and start without one. A drill opens a
		// backup with one secret.
		secret, other := reference(container, "CARREL_SECRET"), reference(container, "CARREL_SECRET_OTHER")
		if secret != nil && component != "restore-drill" && (other == nil || other.Optional == nil || !*other.Optional) {
			faults = append(faults, "no optional CARREL_SECRET_OTHER of "+container.Name)
		}
		if line := strings.Join(append(container.Command, container.Args...), " "); strings.Contains(line, "--requirepass") {
			faults = append(faults, "a password on the command line of "+container.Name)
		}
	}
	return faults
}

// reference returns the key of a Secret that a variable comes from; nil if there is none.
func reference(container corev1.Container, name string) *corev1.SecretKeySelector {
	for _, variable := range container.Env {
		if variable.Name == name && variable.ValueFrom != nil {
			return variable.ValueFrom.SecretKeyRef
		}
	}
	return nil
}

func isService(component string) bool {
	switch component {
	case "auth", "workspace", "chat", "ingest", "connectors", "sync-worker":
		return true
	}
	return false
}

// keyOf returns the key of the Secret with the URL of a service's own user.
func keyOf(service string) string {
	return "DATABASE_URL_" + strings.ToUpper(strings.ReplaceAll(service, "-", "_"))
}
