package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// exitAnnotation is the exit code with which a pod that runs to its end does so here; 0 by default.
const exitAnnotation = "carrel.test/exit-code"

// storageClass is the one whose volumes these nodes provide.
const storageClass = "test"

var names = []string{"one", "two"}

// nodes plays scheduler, kubelets, storage and garbage collection of a cluster: it starts no process,
// but says of each pod what a kubelet would say once its containers run. A pod whose variables name a
// missing Secret or ConfigMap, or whose claim isn't bound, doesn't start. Each step is printed, in
// order.
type nodes struct {
	client    kubernetes.Interface
	told      map[string]string
	scheduled int
	ips       int
}

func runNodes(ctx context.Context, client kubernetes.Interface) error {
	cluster := &nodes{client: client, told: map[string]string{}}
	for number, name := range names {
		if err := cluster.addNode(ctx, name, number); err != nil {
			return err
		}
	}
	for ; ; time.Sleep(100 * time.Millisecond) {
		// Others change the same objects; what conflicts is done again in the next round.
		err := errors.Join(cluster.bindClaims(ctx), cluster.runPods(ctx), cluster.collectGarbage(ctx))
		if err != nil {
			fmt.Println("repeating:", err)
		}
	}
}

func (n *nodes) addNode(ctx context.Context, name string, number int) error {
	core := n.client.CoreV1()
	_, err := core.Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: name,
		Labels: map[string]string{
			corev1.LabelHostname:     name,
			corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", number),
			"disk":                   "fast",
		},
	}}, metav1.CreateOptions{})
	return err
}

// bindClaims binds each claim of our class to a volume, as a storage provisioner does.
func (n *nodes) bindClaims(ctx context.Context) error {
	claims, err := n.client.CoreV1().PersistentVolumeClaims("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		class := claim.Spec.StorageClassName
		if claim.Status.Phase == corev1.ClaimBound || class == nil || *class != storageClass {
			continue
		}
		of := n.client.CoreV1().PersistentVolumeClaims(claim.Namespace)
		claim.Spec.VolumeName = "volume-" + string(claim.UID)
		bound, err := of.Update(ctx, &claim, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		bound.Status.Phase, bound.Status.AccessModes = corev1.ClaimBound, claim.Spec.AccessModes
		bound.Status.Capacity = claim.Spec.Resources.Requests
		if _, err := of.UpdateStatus(ctx, bound, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// collectGarbage deletes ReplicaSets and pods whose owner is gone. What is owned is listed before the
// owners, so that none is missing.
func (n *nodes) collectGarbage(ctx context.Context) error {
	var failures []error
	orphan := func(owned metav1.Object, find func(name string) (metav1.Object, error)) bool {
		owner := metav1.GetControllerOf(owned)
		if owner == nil {
			return false
		}
		found, err := find(owner.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			failures = append(failures, err)
			return false
		}
		return err != nil || found.GetUID() != owner.UID
	}
	replicaSets, err := n.client.AppsV1().ReplicaSets("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, set := range replicaSets.Items {
		if orphan(&set, func(name string) (metav1.Object, error) {
			return n.client.AppsV1().Deployments(set.Namespace).Get(ctx, name, metav1.GetOptions{})
		}) {
			failures = append(failures, n.client.AppsV1().ReplicaSets(set.Namespace).Delete(ctx, set.Name, metav1.DeleteOptions{}))
		}
	}
	pods, err := n.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		if orphan(&pod, func(name string) (metav1.Object, error) {
			switch metav1.GetControllerOf(&pod).Kind {
			case "ReplicaSet":
				return n.client.AppsV1().ReplicaSets(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
			case "StatefulSet":
				return n.client.AppsV1().StatefulSets(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
			default:
				return n.client.BatchV1().Jobs(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
			}
		}) {
			pod.Finalizers = nil
			_, err := n.client.CoreV1().Pods(pod.Namespace).Update(ctx, &pod, metav1.UpdateOptions{})
			failures = append(failures, err, n.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}))
		}
	}
	return errors.Join(failures...)
}

func (n *nodes) runPods(ctx context.Context) error {
	pods, err := n.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var failures []error
	for _, pod := range pods.Items {
		if pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil {
			failures = append(failures, n.schedule(ctx, &pod))
		} else if pod.DeletionTimestamp != nil {
			now := int64(0)
			failures = append(failures, n.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}))
			n.tell(&pod, "stopped")
		} else if pod.Status.Phase == corev1.PodPending {
			failures = append(failures, n.start(ctx, &pod))
		}
	}
	return errors.Join(failures...)
}

// schedule binds a pod to a node, unless it asks for one that we don't have or for a claim that isn't
// bound.
func (n *nodes) schedule(ctx context.Context, pod *corev1.Pod) error {
	if disk, asks := pod.Spec.NodeSelector["disk"]; asks && disk != "fast" {
		n.tell(pod, "waits for a node")
		return nil
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim == nil {
			continue
		}
		name := volume.PersistentVolumeClaim.ClaimName
		claim, err := n.client.CoreV1().PersistentVolumeClaims(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil || claim.Status.Phase != corev1.ClaimBound {
			n.tell(pod, "waits for claim "+name)
			return nil
		}
	}
	n.scheduled++
	return n.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: names[n.scheduled%len(names)]},
	}, metav1.CreateOptions{})
}

func (n *nodes) start(ctx context.Context, pod *corev1.Pod) error {
	if missing, err := n.missing(ctx, pod); err != nil {
		return err
	} else if missing != "" {
		n.tell(pod, "waits for "+missing)
		return nil
	}
	n.ips++
	pod.Status.PodIP = fmt.Sprintf("10.1.%d.%d", n.ips/250, n.ips%250+1)
	pod.Status.PodIPs = []corev1.PodIP{{IP: pod.Status.PodIP}}
	now := metav1.Now()
	pod.Status.StartTime = &now
	status := corev1.ContainerStatus{Ready: true, Started: new(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}}
	outcome := "runs"
	pod.Status.Phase = corev1.PodRunning
	if pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
		pod.Status.Phase, outcome = corev1.PodSucceeded, "succeeded"
		ended := corev1.ContainerStateTerminated{StartedAt: now, FinishedAt: now, Reason: "Completed"}
		if code := pod.Annotations[exitAnnotation]; code != "" && code != "0" {
			pod.Status.Phase, outcome = corev1.PodFailed, "failed"
			ended.ExitCode, ended.Reason = 1, "Error"
		}
		status = corev1.ContainerStatus{State: corev1.ContainerState{Terminated: &ended}}
	}
	pod.Status.ContainerStatuses = nil
	for _, container := range pod.Spec.Containers {
		status.Name, status.Image = container.Name, container.Image
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
	}
	ready := corev1.ConditionFalse
	if status.Ready {
		ready = corev1.ConditionTrue
	}
	conditions := []corev1.PodCondition{}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			conditions = append(conditions, condition)
		}
	}
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		conditions = append(conditions, corev1.PodCondition{Type: kind, Status: ready, LastTransitionTime: now})
	}
	pod.Status.Conditions = conditions
	if _, err := n.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return err
	}
	n.tell(pod, outcome)
	return nil
}

// missing names what a kubelet couldn't find for the pod's containers; empty if nothing is missing.
func (n *nodes) missing(ctx context.Context, pod *corev1.Pod) (string, error) {
	core := n.client.CoreV1()
	for _, container := range append(append([]corev1.Container{}, pod.Spec.InitContainers...), pod.Spec.Containers...) {
		for _, variable := range container.Env {
			if variable.ValueFrom == nil || variable.ValueFrom.SecretKeyRef == nil {
				continue
			}
			reference := variable.ValueFrom.SecretKeyRef
			secret, err := core.Secrets(pod.Namespace).Get(ctx, reference.Name, metav1.GetOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				return "", err
			}
			optional := reference.Optional != nil && *reference.Optional
			if _, has := secret.Data[reference.Key]; !has && !optional {
				return fmt.Sprintf("key %s of Secret %s", reference.Key, reference.Name), nil
			}
		}
		for _, source := range container.EnvFrom {
			if source.ConfigMapRef == nil || (source.ConfigMapRef.Optional != nil && *source.ConfigMapRef.Optional) {
				continue
			}
			if _, err := core.ConfigMaps(pod.Namespace).Get(ctx, source.ConfigMapRef.Name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
				return "ConfigMap " + source.ConfigMapRef.Name, nil
			} else if err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// tell prints what a pod does, once: its component, and the image of its first container.
func (n *nodes) tell(pod *corev1.Pod, what string) {
	if n.told[string(pod.UID)] == what {
		return
	}
	n.told[string(pod.UID)] = what
	image := pod.Spec.Containers[0].Image
	fmt.Printf("%s %s %s %s\n", pod.Labels["app.kubernetes.io/component"], image[strings.LastIndex(image, ":")+1:], pod.Name, what)
}
