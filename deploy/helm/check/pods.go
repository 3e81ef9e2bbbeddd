package main

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// podOf returns the pod that an object makes; nil if it makes none.
func podOf(object runtime.Object) *corev1.PodTemplateSpec {
	switch made := object.(type) {
	case *appsv1.Deployment:
		return &made.Spec.Template
	case *appsv1.StatefulSet:
		return &made.Spec.Template
	case *batchv1.Job:
		return &made.Spec.Template
	case *batchv1.CronJob:
		return &made.Spec.JobTemplate.Spec.Template
	case *corev1.Pod:
		return &corev1.PodTemplateSpec{ObjectMeta: made.ObjectMeta, Spec: made.Spec}
	}
	return nil
}

// lacks says what a pod lacks that all pods must have, whatever the values.
func lacks(pod *corev1.PodTemplateSpec) (faults []string) {
	for _, volume := range pod.Spec.Volumes {
		if volume.EmptyDir != nil && volume.EmptyDir.SizeLimit == nil {
			faults = append(faults, "no size limit of volume "+volume.Name)
		}
	}
	for _, container := range containersOf(pod) {
		if container.Resources.Requests.StorageEphemeral().IsZero() || container.Resources.Limits.Memory().IsZero() {
			faults = append(faults, "no request of ephemeral storage or limit of memory of "+container.Name)
		}
		seen := map[string]bool{}
		for _, variable := range container.Env {
			if seen[variable.Name] {
				faults = append(faults, "two variables "+variable.Name)
			}
			seen[variable.Name] = true
		}
	}
	return faults
}

// lacksExtras says what a pod lacks of extras.yaml.
func lacksExtras(pod *corev1.PodTemplateSpec) (faults []string) {
	expect := func(has bool, what string) {
		if !has {
			faults = append(faults, "no "+what)
		}
	}
	component := pod.Labels["app.kubernetes.io/component"]
	expect(component != "" && component != "overridden", "component of its own")
	expect(pod.Labels["team"] == "platform", "label")
	expect(pod.Annotations["example.com/owner"] == "platform", "annotation")
	expect(pod.Spec.NodeSelector["disk"] == "fast", "node selector")
	expect(len(pod.Spec.Tolerations) == 1, "toleration")
	expect(pod.Spec.PriorityClassName == "carrel", "priority")
	expect(len(pod.Spec.ImagePullSecrets) == 1, "pull secret")
	if component == "postgresql" || component == "redis" || component == "qdrant" {
		expect(len(pod.Spec.InitContainers) == 0, "freedom from containers meant for Carrel")
		return faults
	}
	expect(len(pod.Spec.InitContainers) > 0 && pod.Spec.InitContainers[0].Name == "wait", "init container")
	for _, container := range pod.Spec.Containers {
		expect(strings.Contains(container.Image, "carrel-"), "image of Carrel")
		expect(hasVariable(container, "NODE_EXTRA_CA_CERTS", "/certificates/ca.pem"), "variable in "+container.Name)
		expect(mounts(container, "/certificates"), "mount in "+container.Name)
		from := false
		for _, source := range container.EnvFrom {
			from = from || (source.ConfigMapRef != nil && source.ConfigMapRef.Name == "proxy")
		}
		expect(from, "variables from a ConfigMap in "+container.Name)
	}
	if component == "chat" {
		expect(pod.Labels["tier"] == "answers", "label of its own")
		expect(hasVariable(pod.Spec.Containers[0], "CARREL_LOG_LEVEL", "info"), "last of two variables")
	}
	return faults
}

func containersOf(pod *corev1.PodTemplateSpec) []corev1.Container {
	return append(append([]corev1.Container{}, pod.Spec.InitContainers...), pod.Spec.Containers...)
}

func hasVariable(container corev1.Container, name, value string) bool {
	for _, variable := range container.Env {
		if variable.Name == name {
			return variable.Value == value
		}
	}
	return false
}

func mounts(container corev1.Container, path string) bool {
	for _, mount := range container.VolumeMounts {
		if mount.MountPath == path {
			return true
		}
	}
	return false
}

func tell(name string, faults []string) {
	for _, fault := range faults {
		fmt.Printf("%s: %s\n", name, fault)
	}
}
