package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

const pullLimit = 10 * time.Minute

// runCrictl has the few of crictl's commands that a node's operator needs most: version, info, ps, images, pull.
func runCrictl(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("the stand-in's crictl has version, info, ps, images and pull IMAGE")
	}
	conn, err := grpc.NewClient("unix://"+layout.ContainerdSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), pullLimit)
	defer cancel()
	containers, images := runtimeapi.NewRuntimeServiceClient(conn), runtimeapi.NewImageServiceClient(conn)
	switch name, rest := args[0], args[1:]; {
	case name == "version":
		v, err := containers.Version(ctx, &runtimeapi.VersionRequest{})
		if err == nil {
			fmt.Printf("Version:  %s\nRuntimeName:  %s\nRuntimeVersion:  %s\nRuntimeApiVersion:  %s\n",
				v.Version, v.RuntimeName, v.RuntimeVersion, v.RuntimeApiVersion)
		}
		return err
	case name == "info":
		status, err := containers.Status(ctx, &runtimeapi.StatusRequest{Verbose: true})
		if err != nil {
			return err
		}
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(map[string]any{"status": status.Status, "config": json.RawMessage(status.Info["config"])})
	case name == "ps":
		return listContainers(ctx, containers)
	case name == "images" || name == "img":
		return listImages(ctx, images)
	case name == "pull" && len(rest) == 1:
		answer, err := images.PullImage(ctx, &runtimeapi.PullImageRequest{Image: &runtimeapi.ImageSpec{Image: rest[0]}})
		if err == nil {
			fmt.Printf("Image is up to date for %s\n", answer.ImageRef)
		}
		return err
	default:
		return fmt.Errorf("the stand-in's crictl has no %q", args)
	}
}

func listContainers(ctx context.Context, client runtimeapi.RuntimeServiceClient) error {
	answer, err := client.ListContainers(ctx, &runtimeapi.ListContainersRequest{Filter: &runtimeapi.ContainerFilter{
		State: &runtimeapi.ContainerStateValue{State: runtimeapi.ContainerState_CONTAINER_RUNNING},
	}})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 20, 1, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "CONTAINER\tIMAGE\tNAME\tPOD")
	for _, c := range answer.Containers {
		_, _ = fmt.Fprintf(w, "%.13s\t%s\t%s\t%s\n", c.Id, c.Image.Image, c.Metadata.Name, c.Labels["io.kubernetes.pod.name"])
	}
	return w.Flush()
}

func listImages(ctx context.Context, client runtimeapi.ImageServiceClient) error {
	answer, err := client.ListImages(ctx, &runtimeapi.ListImagesRequest{})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 20, 1, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "IMAGE\tIMAGE ID\tSIZE")
	for _, i := range answer.Images {
		for _, tag := range i.RepoTags {
			_, _ = fmt.Fprintf(w, "%s\t%.20s\t%d\n", tag, i.Id, i.Size)
		}
	}
	return w.Flush()
}
