// Command check reads Kubernetes objects as YAML from standard input and decodes each strictly into
// the type that its apiVersion and kind name: unknown fields, duplicates, wrong types and unknown
// kinds are errors. So are pods without limits or with a URL of PostgreSQL that they must not have and, with the argument `extras`, pods that lack what
// extras.yaml gives to all of them. Which Kubernetes version that is depends on the modules it is built with (see
// README.md).
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, gatewayv1.Install, monitoringv1.AddToScheme, kedav1alpha1.AddToScheme,
	} {
		if err := add(types); err != nil {
			fail(err)
		}
	}
	decoder := serializer.NewCodecFactory(types, serializer.EnableStrict).UniversalDeserializer()
	documents := utilyaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	count, pods, wrong := 0, 0, 0
	extras := len(os.Args) > 1 && os.Args[1] == "extras"
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fail(err)
		}
		var content map[string]any
		if err := yaml.Unmarshal(document, &content); err != nil {
			fail(err)
		}
		if len(content) == 0 {
			continue
		}
		count++
		object, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			wrong++
			fmt.Printf("%v %v: %v\n", kind, content["metadata"], err)
		} else if pod := podOf(object); pod != nil {
			pods++
			faults := append(lacks(pod), exceeds(pod)...)
			if extras {
				faults = append(faults, lacksExtras(pod)...)
			}
			wrong += len(faults)
			tell(pod.Labels["app.kubernetes.io/component"], faults)
		}
	}
	fmt.Printf("%d objects, %d of them with pods, %d faults\n", count, pods, wrong)
	if count == 0 || wrong > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
