// Command check reads Kubernetes objects as YAML from standard input and decodes each strictly into
// the type that its apiVersion and kind name: unknown fields, duplicates, wrong types and unknown
// kinds are errors. Which Kubernetes version that is depends on the modules it is built with (see
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
	count, wrong := 0, 0
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
		if _, kind, err := decoder.Decode(document, nil, nil); err != nil {
			wrong++
			fmt.Printf("%v %v: %v\n", kind, content["metadata"], err)
		}
	}
	fmt.Printf("%d objects, %d wrong\n", count, wrong)
	if count == 0 || wrong > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
