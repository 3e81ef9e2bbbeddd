// Command cluster is a small Kubernetes in one program, for the chart's test: the first argument
// names the component. etcd, the API server and the controllers are their projects' own; `nodes`
// plays the rest.
package main

import (
	"context"
	"fmt"
	"os"
	_ "time/tzdata" // time zones of CronJobs

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

func main() {
	if len(os.Args) < 2 {
		fail("name a component: etcd, kube-apiserver, controllers or nodes")
	}
	component := os.Args[1]
	os.Args = os.Args[1:]
	switch component {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "controllers":
		run(runControllers)
	case "nodes":
		run(runNodes)
	default:
		fail("unknown component: " + component)
	}
}

// run calls a component with a client for the cluster that KUBECONFIG describes.
func run(component func(context.Context, kubernetes.Interface) error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fail(err)
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	if err := component(context.Background(), client); err != nil {
		fail(err)
	}
}

// runControllers runs those of kube-controller-manager that turn the chart's objects into pods.
func runControllers(ctx context.Context, client kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core, batch := factory.Apps().V1(), factory.Core().V1(), factory.Batch().V1()
	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	if err != nil {
		return err
	}
	jobs, err := job.NewController(ctx, client, core.Pods(), batch.Jobs(), nil, nil)
	if err != nil {
		return err
	}
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas)
	statefulSets := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	factory.Start(ctx.Done())
	for _, controller := range []interface{ Run(context.Context, int) }{deployments, replicaSets, statefulSets, jobs} {
		go controller.Run(ctx, 2)
	}
	select {}
}

func fail(reason any) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(2)
}
